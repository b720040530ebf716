/** `node:https` in a world, whose lines are of HTTP alone. */
export {request} from '../http.ts';

export class Server {
	readonly isSecure = true;
}

export function createServer(): never {
	throw new Error('no world has certificates');
}
