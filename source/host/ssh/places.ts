/** A number of places for what somebody holds. */
export type Places = {
	/** Takes a place. Answers how it is given back, which counts once; undefined where none is left. */
	readonly take: () => (() => void) | undefined;
	readonly taken: () => number;
};

export function createPlaces(most: number): Places {
	let taken = 0;
	return {
		taken: () => taken,
		take() {
			if (taken >= most) return undefined;
			taken += 1;
			let isHeld = true;
			return () => {
				if (isHeld) taken -= 1;
				isHeld = false;
			};
		},
	};
}

/** Places for all that clients of one instance make the agent hold, over all their connections, gone ones too. */
export type Holdings = {
	/** Transfers of files, until the last request that was begun is done. */
	readonly transfers: Places;
	/** Files and folders that clients have opened. */
	readonly files: Places;
	/** Connections into the instance, those included that are being opened. */
	readonly forwards: Places;
};

export function createHoldings(): Holdings {
	return {
		transfers: createPlaces(128),
		files: createPlaces(1024),
		forwards: createPlaces(512),
	};
}
