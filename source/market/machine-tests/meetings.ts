/**
 * Meetings of tests that began at one moment: their GPUs are challenged in the same second, so that
 * no card answers for two machines.
 */
import type {MachineTestRow} from '../database/provider-tables.ts';

/** The longest wait of the first arrival for the last. */
const WAIT_MS = 90_000;

type Moment = Pick<MachineTestRow, 'id' | 'started_at'>;

type Meeting = {
	readonly arrived: Set<number>;
	readonly begun: Promise<void>;
	readonly begin: () => void;
	hasBegun: boolean;
};

type Meetings = {
	/** Waits until all open tests have arrived; false for one that comes too late. */
	readonly arrive: (test: Moment) => Promise<boolean>;
	/** Begins meetings at which every open test has arrived. */
	readonly look: () => Promise<void>;
};

/** @param openTests Tests that have not ended. */
export function createMeetings(openTests: () => Promise<readonly Moment[]>): Meetings {
	const meetings = new Map<number, Meeting>();

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
		const open = Map.groupBy(await openTests(), test => test.started_at);
		for (const [moment, meeting] of meetings) {
			const tests = open.get(moment) ?? [];
			if (tests.every(({id}) => meeting.arrived.has(id)) && !meeting.hasBegun) meeting.begin();
			if (tests.length === 0) meetings.delete(moment);
		}
	}

	return {
		look,
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
