export { createAskTexts, type AskTexts } from './ask-texts';
