/** Cache of limited size that drops the least recently used values. */
export type Kept<Key, Value> = {
	readonly get: (key: Key) => Value | undefined;
	readonly set: (key: Key, value: Value) => void;
	readonly clear: () => void;
};

/** @param sizeOf Size of a value; 1 by default. */
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
			// Moved to the end, so that the first is the least recently used.
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
