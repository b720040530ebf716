import {errorOf} from '../../../contract/thrown.ts';
import {useMemo, useState} from 'react';
import type {JournalEntry} from '../../../client/journal/journal.ts';
import {useServices} from '../../services.tsx';
import {usePoll} from '../../queries/use-poll.ts';
import {happeningsOf, type Happening} from '../../../renter/happenings.ts';
import {useStore} from '../../components/use-store.ts';

const EVERY_MS = 5000;

export type Happenings = {
	/** Undefined until the journal was read for the first time. */
	readonly all: readonly Happening[] | undefined;
	readonly error: Error | undefined;
	readonly refresh: () => void;
};

/** All that happened: the journal is read again and again, for other programs write to it, too. */
export function useHappenings(): Happenings {
	const {client, fleet} = useServices();
	const [{entries, error}, setRead] = useState<{
		readonly entries?: readonly JournalEntry[];
		readonly error?: Error | undefined;
	}>({});
	const events = useStore(fleet.state, state => state.events);
	const refresh = usePoll(
		async () => {
			try {
				const found = await (await client()).journal.read();
				// What has not changed is not drawn anew.
				setRead(last => (isSame(last.entries, found) ? last : {entries: found}));
			} catch (cause) {
				const failure = errorOf(cause);
				setRead(last => ({...last, error: failure}));
			}
		},
		{everyMs: EVERY_MS},
	);
	const all = useMemo(
		() => (entries === undefined ? undefined : happeningsOf(entries, events)),
		[entries, events],
	);
	return {all, error, refresh};
}

function isSame(
	before: readonly JournalEntry[] | undefined,
	now: readonly JournalEntry[],
): boolean {
	if (before?.length !== now.length) return false;
	return now.every(({wish, answers}, at) => {
		const other = before[at];
		return other?.wish.request === wish.request && other.answers.length === answers.length;
	});
}
