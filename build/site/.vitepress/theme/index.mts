import theme from 'vitepress/theme-without-fonts';
import './accent.css';

export default theme;
