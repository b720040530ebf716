import {createStore} from './store.ts';
import type {Store} from './store.ts';

/** Every place that can be gone to, with what it needs to know. */
export type Destination = {readonly name: 'offers'} | {readonly name: 'offer'; readonly id: number};

/** A place on the stack. Going to the same destination twice makes two places. */
export type Place = {readonly destination: Destination};

export type Router = {
	/** The places from the first to the one that is shown. */
	readonly stack: Store<readonly Place[]>;
	readonly go: (destination: Destination) => void;
	/** Takes the place of the one shown, so that going back skips it. */
	readonly replace: (destination: Destination) => void;
	/** One place back; false at the first, where there is nothing to go back to. */
	readonly back: () => boolean;
};

export function createRouter(first: Destination): Router {
	const stack = createStore<readonly Place[]>([{destination: first}]);
	return {
		stack,
		go: destination => stack.set([...stack.get(), {destination}]),
		replace: destination => stack.set([...stack.get().slice(0, -1), {destination}]),
		back() {
			const places = stack.get();
			if (places.length === 1) return false;
			stack.set(places.slice(0, -1));
			return true;
		},
	};
}

/**
 * State that lives as long as its place is on the stack: made when the place is first shown, and
 * the same when it is shown again, so that coming back finds cursor, order and scroll as they were.
 */
export function kept<State>(create: () => State): (place: Place) => State {
	const states = new WeakMap<Place, State>();
	return place => {
		const existing = states.get(place);
		if (existing !== undefined) return existing;
		const state = create();
		states.set(place, state);
		return state;
	};
}
