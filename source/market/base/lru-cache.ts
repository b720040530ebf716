/** Values that are kept for as long as there is room: those that were used the longest ago go first. */
export type Kept<Key, Value> = {
	readonly get: (key: Key) => Value | undefined;
	readonly set: (key: Key, value: Value) => void;
	readonly clear: () => void;
};

/** @param sizeOf Of the room, one each where nothing is said. */
export function createLruCache<Key, Value>(
	room: number,
	sizeOf: (value: Value) => number = () => 1,
): Kept<Key, Value> {
	const values = new Map<Key, Value>();
	let taken = 0;

	function remove(key: Key): void {
		const value = values.get(key);
		if (value !== undefined) taken -= sizeOf(value);
		values.delete(key);
	}

	return {
		get(key) {
			const value = values.get(key);
			if (value === undefined) return undefined;
			// Put at the end again: the first is the one that was not used the longest.
			values.delete(key);
			values.set(key, value);
			return value;
		},
		set(key, value) {
			remove(key);
			values.set(key, value);
			taken += sizeOf(value);
			for (const oldest of values.keys()) {
				if (taken <= room) return;
				remove(oldest);
			}
		},
		clear() {
			values.clear();
			taken = 0;
		},
	};
}
