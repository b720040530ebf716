import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import type {Machine} from '../../../contract/nouns/machines.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {defaultJobText} from '../../../renter/nouns/jobs.ts';
import {isoDay, money} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {useFitting, ListNotice, ListScreen} from '../../list/list-view.tsx';
import {createList} from '../../list/list.ts';
import {askAgain} from '../../list/unreadable.ts';
import {machinesQuery} from '../../queries/account.ts';
import {keptByStackEntry, type ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal} from '../../services/services.tsx';
import {ConfirmDialog, notifyOutcome} from '../dialogs.tsx';
import {
	machineColumns,
	machineListBindings,
	machineStateText,
	machineTroubleOf,
	type MachinesTarget,
} from './machines.ts';

const listAt = keptByStackEntry(() => createList(machineColumns, (machine: Machine) => machine.id));

const machinesNotice = {
	noun: 'machines',
	missing: 'This server does not describe machines.',
	empty: ['You provide no machines.', 'rentty host offers the machine that it runs on.'],
} as const;

const machinesList = {
	title: 'Machines',
	heading: 'MACHINES',
	bindings: machineListBindings,
	note: sumOf,
	about: aboutMachine,
} as const;

/** Machines that the account provides: state, use and earnings. */
export function MachinesScreen({stackEntry, size, say}: ScreenProps) {
	const {client, hasMachines} = useServices();
	const {copy} = useTerminal();
	const list = listAt(stackEntry);
	const [unlisted, setUnlisted] = useState<Machine>();
	const query = useQuery(machinesQuery(client, hasMachines));
	const {machines: rows, unreadable = noneUnreadable} = query.data ?? {};
	const columns = useFitting(machineColumns, size.columns);
	if (unlisted !== undefined) {
		return (
			<UnlistMachine
				machine={unlisted}
				size={size}
				say={say}
				onClose={() => setUnlisted(undefined)}
				onChanged={() => void query.refetch()}
			/>
		);
	}
	const target: MachinesTarget = {
		unlist: list.act(setUnlisted),
		noUnlist: () => noUnlist(list.current()),
		copy: list.act(({id}) => copy(String(id))),
		missing: () => (list.current() === undefined ? 'there is no machine to act on' : undefined),
		refresh: () => void askAgain(query.refetch, {noun: 'machines', width: size.columns, say}),
	};
	return (
		<ListScreen
			{...machinesList}
			{...{list, columns, target, rows, unreadable, size}}
			instead={<ListNotice {...query} {...machinesNotice} unreadable={unreadable} size={size} />}
		/>
	);
}

function noUnlist(machine: Machine | undefined): string | undefined {
	if (machine === undefined) return 'there is no machine to act on';
	return machine.listed === true ? undefined : 'it is not listed';
}

/** Earnings of all machines, and how many need attention. */
function sumOf(machines: readonly Machine[]): string {
	const troubled = machines.filter(machine => machineTroubleOf(machine) !== undefined).length;
	const earned = `${moneyOf(machines.map(machine => machine.earn_hour))}/h now, ${moneyOf(machines.map(machine => machine.earn_day))} in the last day`;
	return troubled === 0 ? earned : `${earned}, ${troubled} in trouble`;
}

function moneyOf(values: ReadonlyArray<number | null | undefined>): string {
	return money(values.reduce<number>((total, value) => total + (value ?? 0), 0));
}

/** Trouble of a machine, or its renters and the end of their rentals. */
function aboutMachine(machine: Machine | undefined): string {
	if (machine === undefined) return '';
	const trouble = machineTroubleOf(machine);
	if (trouble !== undefined) return ` ${printable(trouble)}`;
	const count = machine.current_rentals_resident ?? 0;
	const running = machine.current_rentals_running ?? 0;
	const end = machine.client_end_date;
	const until = typeof end === 'number' ? ` until ${isoDay(end)}` : '';
	const rentals = count === 1 ? '1 rental' : `${count} rentals`;
	const rented = count === 0 ? 'nobody rents it' : `${rentals}${until}, ${running} running`;
	const job = defaultJobText(machine);
	return ` ${rented}; ${job === undefined ? 'rentty host price changes its terms' : printable(job)}`;
}

type UnlistProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly machine: Machine;
	readonly onClose: () => void;
	/** The service answered, by when another question may be open. */
	readonly onChanged: () => void;
};

/** Asks whether to withdraw a machine's offers. */
function UnlistMachine({machine, size, say, onClose, onChanged}: UnlistProps) {
	const {client} = useServices();
	async function unlist(): Promise<void> {
		onClose();
		await notifyOutcome(say, async () => {
			await (await client()).machines.unlist(machine.id);
			return `Machine ${machine.id} is offered no longer.`;
		});
		onChanged();
	}
	const {id, name, gpu_name: gpu} = machine;
	return (
		<ConfirmDialog
			question={{
				verb: 'unlist',
				noun: 'machine',
				targets: [
					{id, name: name ?? '', detail: gpu ?? '', state: machineStateText(machine), level: 1},
				],
			}}
			facts={[
				['What happens', 'Nobody can rent it. What is rented goes on until its end.'],
				['Way back', 'rentty host price lists it again.'],
			]}
			size={size}
			say={say}
			onConfirm={() => void unlist()}
			onCancel={onClose}
		/>
	);
}
