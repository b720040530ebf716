import {useMemo, useState} from 'react';
import type {JournalEntry} from '../../../client/journal/journal.ts';
import {errorOf} from '../../../contract/rules/thrown.ts';
import type {AgentCall} from '../../../renter/agents/call-log.ts';
import {activityOf, type Activity} from '../../../renter/nouns/activity.ts';
import {usePoll, useServices} from '../../services/services.tsx';
import {useStore} from '../../ui/painted.tsx';

const EVERY_MS = 5000;

type ActivityRead = {
	/** Undefined until journal and calls were read for the first time. */
	readonly all: readonly Activity[] | undefined;
	readonly error: Error | undefined;
	readonly refresh: () => void;
};

type Read = {readonly entries: readonly JournalEntry[]; readonly calls: readonly AgentCall[]};

/** All activities. Journal and calls are read again and again, for other programs write to them, too. */
export function useActivity(): ActivityRead {
	const {client, fleet, agents} = useServices();
	const [{read, error}, setRead] = useState<{
		readonly read?: Read | undefined;
		readonly error?: Error | undefined;
	}>({});
	const events = useStore(fleet.state, state => state.events);
	const waiting = useStore(agents.waiting);
	const refresh = usePoll(
		async () => {
			try {
				const calls = await agents.calls();
				const found = {entries: await (await client()).journal.read(), calls};
				// Entries that have not changed are not drawn anew.
				setRead(last => (isSame(last.read, found) ? last : {read: found}));
			} catch (cause) {
				const failure = errorOf(cause);
				setRead(last => ({...last, error: failure}));
			}
		},
		{everyMs: EVERY_MS},
	);
	const all = useMemo(
		() => (read === undefined ? undefined : activityOf({...read, events, waiting})),
		[read, events, waiting],
	);
	return {all, error, refresh};
}

function isSame(before: Read | undefined, now: Read): boolean {
	if (before === undefined || before.entries.length !== now.entries.length) return false;
	const [last, latest] = [before.calls[0], now.calls[0]];
	if (before.calls.length !== now.calls.length || last?.at !== latest?.at) return false;
	return now.entries.every(({change, answers}, at) => {
		const other = before.entries[at];
		return other?.change.request === change.request && other.answers.length === answers.length;
	});
}
