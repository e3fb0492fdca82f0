import './page.css';
import { tellHeight } from './embedded';
import { pageData, say } from './page';

/** Shows times in the zone of the person. */
function localizeTimes(): void {
  const language = document.documentElement.lang;
  // `de-AT` of the browser writes the time of a German page.
  const own = navigator.languages.find((name) => name.split('-')[0] === language.split('-')[0]);
  const format = new Intl.DateTimeFormat(own ?? language, { dateStyle: 'long', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) {
    const moment = new Date(time.dateTime);
    time.textContent = format.format(moment);
  }
}

localizeTimes();
const data = pageData();
if (data !== null) {
  tellHeight(data.page?.frameAncestors ?? []);
  // The questions can be read by now: the form runtime takes their place when it has arrived.
  import('./runtime')
    .then(({ start }) => start(data))
    .catch((error: unknown) => {
      say(data.texts['reload']!);
      throw error;
    });
}
