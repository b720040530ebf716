// The part of undici that the client uses. The whole package takes twice as long to load, most of
// it for fetch, WebSocket and caches.
import api from 'undici/lib/api/index.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';

// oxlint-disable-next-line typescript/no-unsafe-member-access -- these files have no types of their own
Object.assign(Dispatcher.prototype, api);

export {Pool};
