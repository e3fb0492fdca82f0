import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

export interface View {
  top: number;
  left: number;
  width: number;
  height: number;
}

/** The visible part of a scrolling element, without its first `head` pixels, which stay. */
export function useView(head: number): [ref: RefObject<HTMLDivElement | null>, view: View] {
  const ref = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ top: 0, left: 0, width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current!;
    const measure = () => {
      const next = {
        top: element.scrollTop,
        left: element.scrollLeft,
        width: element.clientWidth,
        height: Math.max(0, element.clientHeight - head),
      };
      setView((last) => (isEqual(last, next) ? last : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [head]);
  return [ref, view];
}

const isEqual = (a: View, b: View): boolean =>
  a.top === b.top && a.left === b.left && a.width === b.width && a.height === b.height;
