import { readsTogether, routes } from 'virtual:route-table';
import { addRoutes } from './api.ts';
import { readTogether } from './read-together.ts';

// What the pages need of the API beyond the login and the application.
addRoutes(routes, (routeName, url, init) => (readsTogether.has(routeName) ? () => readTogether(url, init) : undefined));
