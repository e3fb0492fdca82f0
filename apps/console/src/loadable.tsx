import { Skeleton } from '@canvass/console-ui';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useTexts } from './i18n';

/** A component whose code is loaded when it is first shown, or before by `load`. */
export interface Loadable {
  (): ReactNode;
  load(): Promise<void>;
}

/**
 * Makes a component of a module that is loaded when it is first shown. If the module cannot be loaded, the
 * component throws the error. It replaces React's `lazy`, which keeps its fallback for 300 ms or more.
 */
export function loadable(read: () => Promise<{ default: ComponentType }>): Loadable {
  let Content: ComponentType | null = null;
  const load = async () => {
    Content ??= (await read()).default;
  };
  function Loaded() {
    const { loading } = useTexts();
    const [, setLoaded] = useState(Content !== null);
    const [error, setError] = useState<Error | null>(null);
    useEffect(() => {
      // The module may have come since the first render.
      load().then(() => setLoaded(true), setError);
    }, []);
    if (error !== null) throw error;
    return Content === null ? <Skeleton label={loading} /> : <Content />;
  }
  return Object.assign(Loaded, { load });
}
