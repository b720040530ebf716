/** Looks at what is rented, by the rules of the console, and finds instances by what people call them. */
import {openFleetMemory} from '../console/fleet/fleet-memory.ts';
import {lookAtAll, unseenFleet} from '../console/fleet/fleet-state.ts';
import type {FleetRow, FleetState} from '../console/fleet/fleet-state.ts';
import {UsageError} from '../console/options.ts';
import type {Instance} from '../contract/instance-record.ts';
import type {Context} from './command.ts';
import {CommandError, exitCodes} from './failure.ts';
import {instanceNames, keepNames} from './names.ts';

/** Takes a look, and after it others that know of those before. */
export type FleetLooks = {readonly look: () => Promise<FleetState>};

/**
 * Begins with what the console has seen of the instances. Nothing is kept: what a console that is
 * open keeps at the same time knows more.
 */
export function openFleetLooks({
	client: open,
	service,
	settings: {limits},
	folders,
	now,
	signal,
}: Pick<Context, 'client' | 'service' | 'settings' | 'folders' | 'now' | 'signal'>): FleetLooks {
	const memory = openFleetMemory(folders.state, service());
	let state = unseenFleet;
	let kept = '';

	async function keep(instances: readonly Instance[]): Promise<void> {
		const names = instanceNames(instances);
		const text = JSON.stringify(names);
		if (text !== kept) await keepNames({service, folders}, {instances: names});
		kept = text;
	}

	return {
		async look() {
			const client = await open();
			const {remembered, boots} = memory.recall();
			const instances = await client.instances.list({signal});
			await keep(instances);
			const before = state === unseenFleet ? {...state, boots} : state;
			state = lookAtAll(before, instances, {now: now(), limits, remembered});
			return state;
		},
	};
}

/** The rows that names mean, in the order of the names. */
export function rowsNamed(
	rows: readonly FleetRow[],
	names: readonly string[],
): readonly FleetRow[] {
	const instances = rows.map(({instance}) => instance);
	const wanted = new Set(names.map(name => instanceNamed(instances, name).id));
	return [...wanted].flatMap(id => rows.filter(({instance}) => instance.id === id));
}

/**
 * The one instance that a number or a label means.
 *
 * @throws CommandError where there is none
 * @throws UsageError where there are several
 */
export function instanceNamed(instances: readonly Instance[], name: string): Instance {
	const byId = instances.find(({id}) => String(id) === name);
	if (byId !== undefined) return byId;
	const labelled = instances.filter(({label}) => label === name);
	const [instance, ...others] = labelled;
	if (instance === undefined) {
		throw new CommandError(
			exitCodes.notFound,
			`There is no instance ${name}: rentty ps lists all.`,
		);
	}
	if (others.length > 0) {
		const ids = labelled.map(({id}) => id).join(', ');
		throw new UsageError(`${labelled.length} instances are called ${name}: say which of ${ids}.`);
	}
	return instance;
}
