/** Tells what becomes of single instances, once each, for whoever asked for it. */
import type {Event, Notify} from '../words/alert.ts';
import type {Condition} from '../instance/condition.ts';
import type {Fleet} from '../fleet/fleet.ts';
import {newEvents, type FleetEvent} from '../fleet/fleet-state.ts';

export type NextChange = {
	/** Asks for the next change of an instance, or takes that back; whether it is asked for now. */
	readonly toggle: (id: number) => boolean;
	readonly isAsked: (id: number) => boolean;
};

export function createNextChange(fleet: Pick<Fleet, 'state'>, notify: Notify): NextChange {
	const asked = new Set<number>();
	let {events} = fleet.state.get();
	fleet.state.subscribe(() => {
		const before = events;
		({events} = fleet.state.get());
		for (const event of newEvents(before, events)) {
			if (asked.delete(event.id)) notify.tell(changeOf(event));
		}
	});
	return {
		toggle(id) {
			if (!asked.delete(id)) asked.add(id);
			return asked.has(id);
		},
		isAsked: id => asked.has(id),
	};
}

const words: Readonly<Partial<Record<Condition, string>>> = {
	noSsh: 'running without an answer by SSH',
	undead: 'still listed although it was destroyed',
	waiting: 'waiting for its GPUs',
	destroying: 'being destroyed',
};

function changeOf({id, label, from, to, at}: FleetEvent): Event {
	const name = label === '' ? `Instance ${id}` : `${label} (${id})`;
	const was = from === undefined ? '' : `was ${words[from] ?? from}, and `;
	// Each asking is for a change of its own, so that its time is part of what is told.
	return {
		kind: 'changed',
		instance: id,
		about: `instance ${id}`,
		state: `${to} at ${at}`,
		text: `${name} ${was}is now ${words[to] ?? to}.`,
	};
}
