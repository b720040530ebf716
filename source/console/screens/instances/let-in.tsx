/** Lets an SSH key into an instance: one of this machine, one that is made, or one that is pasted. */
import {useQueryClient} from '@tanstack/react-query';
import {useEffect, useState} from 'react';
import {findUsableKeys, newKeyFile, type LocalKey} from '../../../renter/connect/keys.ts';
import {keysKey} from '../../queries/account.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {readOnlyReason} from '../../services/profile-switcher.ts';
import type {ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal} from '../../services/services.tsx';
import {Notice} from '../../ui/notice.tsx';
import {notifyOutcome} from '../dialogs.tsx';
import {ChooseKey} from '../keys/choose-key.tsx';
import {hasAny} from './connecting.ts';
import {instanceNameOf} from './words.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly row: FleetRow;
	readonly onClose: () => void;
};

type Known = {readonly local: readonly LocalKey[]; readonly newFile: string | undefined};

export function LetIn({row: {instance}, size, say, onClose}: Props) {
	const {client, switcher} = useServices();
	const {environment} = useTerminal();
	const live = useQueryClient();
	const [known, setKnown] = useState<Known>();
	useEffect(() => {
		const both = Promise.all([findUsableKeys(environment), newKeyFile(environment)]);
		void both.then(([local, newFile]) => setKnown({local, newFile}));
	}, [environment]);

	/** Attaches a key to the instance, and registers it if the account has none: later rents have it, too. */
	async function letIn(key: () => Promise<string>): Promise<void> {
		onClose();
		await notifyOutcome(say, async () => {
			const reason = readOnlyReason(switcher.target);
			if (reason !== undefined) throw new Error(reason);
			const text = await key();
			const {instances, sshKeys} = await client();
			if (!hasAny(await sshKeys.list())) await sshKeys.create(text);
			await instances.attachSshKey(instance.id, text);
			return `The key is let into ${instanceNameOf(instance)}: s enters it.`;
		});
		await live.invalidateQueries({queryKey: keysKey});
	}
	if (known === undefined)
		return <Notice title="Looking for SSH keys" width={size.columns} height={size.rows} />;
	return (
		<ChooseKey
			title={`Let a key into ${instanceNameOf(instance)}`}
			{...known}
			size={size}
			onKey={key => void letIn(key)}
			onClose={onClose}
		/>
	);
}
