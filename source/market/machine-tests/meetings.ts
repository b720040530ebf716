/**
 * Meetings of tests that began at one moment: their GPUs are challenged in the same second, so that
 * no card answers for two machines.
 */
import type {MachineTestRow} from '../database/provider-tables.ts';

/** The longest wait of the first arrival for the last. */
const WAIT_MS = 90_000;

/** Time that the tests of a moment have for getting ready: an image takes one minute, or fifteen. */
const READY_SECONDS = 1200;

type Moment = Pick<MachineTestRow, 'id' | 'started_at'>;

type Meeting = {
	readonly arrived: Set<number>;
	readonly begun: Promise<void>;
	readonly begin: () => void;
	hasBegun: boolean;
};

type Meetings = {
	/** True once all open tests of its moment are ready too, or have had their time for that. */
	readonly isJoined: (test: Moment, now: number) => Promise<boolean>;
	/** Waits until all open tests have arrived; false for one that comes too late. */
	readonly arrive: (test: Moment) => Promise<boolean>;
	/** Begins meetings at which every open test has arrived. */
	readonly look: () => Promise<void>;
};

/** @param openTests Tests that have not ended. */
export function createMeetings(openTests: () => Promise<readonly Moment[]>): Meetings {
	const meetings = new Map<number, Meeting>();
	const ready = new Set<number>();

	function meetingOf(moment: number): Meeting {
		const known = meetings.get(moment);
		if (known !== undefined) return known;
		const {promise, resolve} = Promise.withResolvers<void>();
		const meeting: Meeting = {
			arrived: new Set(),
			begun: promise,
			hasBegun: false,
			begin() {
				meeting.hasBegun = true;
				clearTimeout(timer);
				resolve();
			},
		};
		const timer = setTimeout(meeting.begin, WAIT_MS).unref();
		meetings.set(moment, meeting);
		return meeting;
	}

	async function look(): Promise<void> {
		const all = await openTests();
		const open = Map.groupBy(all, test => test.started_at);
		for (const [moment, meeting] of meetings) {
			const tests = open.get(moment) ?? [];
			if (tests.every(({id}) => meeting.arrived.has(id)) && !meeting.hasBegun) meeting.begin();
			if (tests.length === 0) meetings.delete(moment);
		}
		const ids = new Set(all.map(({id}) => id));
		for (const id of ready) if (!ids.has(id)) ready.delete(id);
	}

	return {
		look,
		async isJoined({id, started_at: moment}, now) {
			ready.add(id);
			if (now - moment > READY_SECONDS) return true;
			const tests = await openTests();
			return tests.every(test => test.started_at !== moment || ready.has(test.id));
		},
		async arrive({id, started_at: moment}) {
			const meeting = meetingOf(moment);
			if (meeting.hasBegun) return false;
			meeting.arrived.add(id);
			await look();
			await meeting.begun;
			return true;
		},
	};
}
