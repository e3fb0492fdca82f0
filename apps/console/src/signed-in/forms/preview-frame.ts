import { greeting, readAnswer, type FromPreview, type ToPreview } from '../../preview';

/** The time that the frame may take to answer. A definition can keep it busy without end. */
export const maxSeconds = 5;

/** The channel to the frame of the preview. */
export interface PreviewChannel {
  send(message: ToPreview): void;
  close(): void;
}

/**
 * Opens the channel to a frame that has loaded. The frame is asked every second whether it still answers.
 *
 * @param onStuck called once, after `maxSeconds` without an answer; the channel is closed then
 */
export function openChannel(
  frame: Window,
  onAnswer: (answer: FromPreview) => void,
  onStuck: () => void,
): PreviewChannel {
  const { port1: port, port2 } = new MessageChannel();
  // Counted instead of measured: a machine that slept did not wait.
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered === maxSeconds) {
      close();
      onStuck();
      return;
    }
    unanswered += 1;
    port.postMessage({ kind: 'ask' } satisfies ToPreview);
  }, 1000);
  const close = (): void => {
    clearInterval(timer);
    port.close();
  };
  port.onmessage = ({ data }) => {
    const answer = readAnswer(data);
    if (answer === null) return;
    unanswered = 0;
    onAnswer(answer);
  };
  // The frame has an opaque origin, which no other target than all origins includes.
  frame.postMessage(greeting, '*', [port2]);
  return { send: (message) => port.postMessage(message), close };
}
