import {useEffect, useState} from 'react';
import {sshNames} from '../../../renter/connect/ssh-config.ts';
import {ConfirmDialog} from '../dialogs.tsx';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {type Services, useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {reasonOf} from './reason.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly row: FleetRow;
	readonly onClose: () => void;
};

/** Asks once whether OpenSSH may know the instances by name; from then on it only says the name. */
export function SshNameDialog({row, size, say, onClose}: Props) {
	const services = useServices();
	const {fleet} = services;
	const {ssh} = services.renting;
	const {copy} = services.terminal;
	const [name] = useState(() => {
		const instances = fleet.state.get().rows.map(({instance}) => instance);
		return sshNames(instances).get(row.instance.id) ?? '';
	});
	const [isAsked, setAsked] = useState(false);
	useEffect(() => {
		void begin();
		async function begin() {
			try {
				if (!(await ssh.config.isIncluded())) return setAsked(true);
				onClose();
				copy(`ssh ${name}`);
			} catch (error) {
				onClose();
				say({text: `Your SSH configuration cannot be read: ${reasonOf(error)}`, isError: true});
			}
		}
		// oxlint-disable-next-line react/exhaustive-deps -- it is found out once, when this opens
	}, []);
	if (!isAsked) return null;
	return (
		<ConfirmDialog
			question={{
				verb: 'add names to',
				noun: 'file',
				targets: [
					{
						id: ssh.config.userFile,
						name: '',
						detail: 'one line at its top',
						state: 'there',
						level: 1,
					},
				],
			}}
			facts={[
				['What happens', `It gets the line ${ssh.config.line}`],
				['The names', `ssh ${name}, scp and editors find what runs; rentty keeps them up to date.`],
				['To undo it', 'Take that line out. Nothing else in the file is changed, ever.'],
			]}
			size={size}
			say={say}
			onConfirm={() => {
				onClose();
				void include(services, name, say);
			}}
			onCancel={onClose}
		/>
	);
}

async function include(
	{renting: {ssh}, terminal: {copy}}: Services,
	name: string,
	say: Props['say'],
): Promise<void> {
	try {
		await ssh.include();
		copy(`ssh ${name}`);
	} catch (error) {
		say({text: `Nothing was changed: ${reasonOf(error)}`, isError: true});
	}
}
