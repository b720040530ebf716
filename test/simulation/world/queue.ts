/** Events in order of their time; of two at one time, chance says which is first. */
export type Event = {
	readonly at: number;
	readonly tie: number;
	readonly sequence: number;
	/** Name of the process whose it is. */
	readonly owner: string | undefined;
	readonly run: () => void;
	isCancelled: boolean;
};

function isBefore(one: Event, other: Event): boolean {
	if (one.at !== other.at) return one.at < other.at;
	return one.tie === other.tie ? one.sequence < other.sequence : one.tie < other.tie;
}

/** Heap of events: each stands before the two below it. */
export function createQueue() {
	const heap: Event[] = [];

	function isFirst(one: number, other: number): boolean {
		const [a, b] = [heap[one], heap[other]];
		return a !== undefined && b !== undefined && isBefore(a, b);
	}

	function swap(one: number, other: number): void {
		const [a, b] = [heap[one], heap[other]];
		if (a !== undefined) heap[other] = a;
		if (b !== undefined) heap[one] = b;
	}

	function rise(from: number): void {
		for (let child = from; child > 0;) {
			const parent = (child - 1) >> 1;
			if (!isFirst(child, parent)) return;
			swap(child, parent);
			child = parent;
		}
	}

	function sink(): void {
		for (let parent = 0; ;) {
			let least = parent;
			for (const child of [2 * parent + 1, 2 * parent + 2])
				if (isFirst(child, least)) least = child;
			if (least === parent) return;
			swap(parent, least);
			parent = least;
		}
	}

	return {
		add(event: Event): void {
			heap.push(event);
			rise(heap.length - 1);
		},
		all: (): readonly Event[] => heap,
		take(): Event | undefined {
			const [first] = heap;
			const last = heap.pop();
			if (first === undefined || last === undefined || first === last) return first;
			heap[0] = last;
			sink();
			return first;
		},
	};
}
