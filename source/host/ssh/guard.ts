/** Keeps an error that happens while one connection is served from reaching anything else. */
import type {EventEmitter} from 'node:events';

type Action<Given extends readonly unknown[]> = (...given: Given) => unknown;

export type Guard = {
	/** The same function, except that an error of it ends the connection, also one that comes later. */
	readonly action: <Given extends readonly unknown[]>(
		action: Action<Given>,
	) => (...given: Given) => void;
	/** Has errors of an emitter's listeners end the connection. */
	readonly listeners: (emitter: EventEmitter) => void;
};

export function createGuard(fail: (error: unknown) => void): Guard {
	return {
		action:
			action =>
			(...given) => {
				try {
					const result = action(...given);
					if (result instanceof Promise) result.catch(fail);
				} catch (error) {
					fail(error);
				}
			},
		listeners(emitter) {
			const emit: EventEmitter['emit'] = emitter.emit.bind(emitter);
			emitter.emit = (name: string | symbol, ...given: unknown[]) => {
				try {
					return emit(name, ...given);
				} catch (error) {
					fail(error);
					return true;
				}
			};
		},
	};
}
