import type { PointerEvent } from 'react';

/**
 * Follows a pointer from where it was pressed until it is released.
 *
 * @param drag called with the pixels that it has moved to the right
 */
export function followPointer(
  { currentTarget: handle, clientX: begin, pointerId }: PointerEvent<HTMLElement>,
  drag: (pixels: number) => void,
  end?: () => void,
): void {
  handle.setPointerCapture(pointerId);
  const follow = ({ clientX }: globalThis.PointerEvent) => drag(clientX - begin);
  const stop = () => {
    handle.removeEventListener('pointermove', follow);
    end?.();
  };
  handle.addEventListener('pointermove', follow);
  handle.addEventListener('lostpointercapture', stop, { once: true });
}
