import { createContext, useContext } from 'react';
import type { Configuration } from '../api';

/** The settings of the console. */
export const ConfigurationContext = createContext<Configuration | null>(null);

/** @throws {Error} outside the signed-in part of the console */
export function useConfiguration(): Configuration {
  const configuration = useContext(ConfigurationContext);
  if (configuration === null) throw new Error('There is no configuration here.');
  return configuration;
}
