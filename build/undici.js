// The part of undici that is called. The whole package takes twice as long to load, most of it for
// fetch, WebSocket and caches. What it adds to all of its dispatchers, our pool has alone.
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Dispatcher from 'undici/lib/dispatcher/pool.js';

export class Pool extends Dispatcher {
	// oxlint-disable-next-line typescript/no-unsafe-assignment -- these files have no types of their own
	request = request;
	// oxlint-disable-next-line typescript/no-unsafe-assignment -- the same
	connect = connect;
}
