import { cleanHtml } from '../clean-html';
import { reportHeight } from './embedded';
import { link } from './link';
import './page.css';
import { localizeTimes, pageData, say, takePage } from './page';

localizeTimes();
const data = pageData();
if (data !== null) {
  cleanHtml();
  const isPrivate = 'asksForSignIn' in data;
  if (!isPrivate) reportHeight(data.page?.frameAncestors ?? []);
  const ready = !isPrivate
    ? Promise.resolve(data)
    : link === null
      ? import('./sign-in').then(({ enter }) => enter(data))
      : takePage({ 'X-Submission-Token': link });
  // The questions can be read by now: the form runtime takes their place when it has arrived.
  ready
    .then(async (found) => found && (await import('./runtime')).start(found))
    .catch((error: unknown) => {
      say(data.texts['reload']!);
      throw error;
    });
}
