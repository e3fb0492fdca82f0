export { createAskAreas } from './ask-areas';
export { searchRoutes } from './search.routes';
