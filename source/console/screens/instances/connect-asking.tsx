import {useState, useEffect} from 'react';
import {
	readForwards,
	rsyncCommand,
	scpCommand,
	shellText,
	sshText,
	type SshRoute,
} from '../../../contract/nouns/ssh-command.ts';
import {Choice} from '../../ui/dialog.tsx';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {useRenting, useServices, useTerminal} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {connectTools, enterInstance, waysIn} from './connecting.ts';
import {suggestedForwards} from '../../../renter/connect/ports.ts';
import {Prompt, ConfirmDialog} from '../dialogs.tsx';
import {instanceNameOf} from './words.ts';
import {reasonOf} from '../../../renter/actions/instance-actions.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly row: FleetRow;
	readonly onClose: () => void;
};

type Common = Props & {readonly route: SshRoute};

/** Dialogs before ports are forwarded, files copied, or names given to OpenSSH. */
export function ConnectAsking({
	kind,
	...props
}: Props & {kind: 'forward' | 'transfer' | 'sshName'}) {
	const {ssh} = useRenting();
	const [[route]] = useState(() => waysIn(props.row, ssh.measured.get()));
	if (route === undefined) return null;
	if (kind === 'sshName') return <SshNameDialog {...props} />;
	return kind === 'forward' ? (
		<ForwardPrompt {...props} route={route} />
	) : (
		<TransferPrompts {...props} route={route} />
	);
}

const HERE = 'enter it with these forwards, which last as long as the shell';
const COPY = 'copy the command';

function ForwardPrompt({row, route, size, say, onClose}: Common) {
	const services = useServices();
	const identities = services.renting.ssh.identities.files.get();
	const [ports, setPorts] = useState<string>();
	if (ports === undefined) {
		return (
			<Prompt
				title={`Ports of ${instanceNameOf(row.instance)} for this machine`}
				name="ports"
				initial={suggestedForwards(row.instance)}
				lines={['8080 6006 for the same ones here, 16006:6006 for another one here.', ' ']}
				preview={text => [sshText(route, readForwards(text) ?? [], identities)]}
				size={size}
				refuse={text =>
					readForwards(text) === undefined
						? 'Ports are numbers from 1 to 65535, with blanks between them.'
						: undefined
				}
				// A submitted field closes by itself; this one leads to the next question.
				onSend={setPorts}
				onClose={() => undefined}
				onLeave={onClose}
			/>
		);
	}
	const forwards = readForwards(ports) ?? [];
	return (
		<Choice
			title={sshText(route, forwards, identities)}
			choices={[HERE, COPY]}
			chosen={HERE}
			theme={services.theme}
			size={size}
			onType={services.terminal.typeToInk}
			onChoose={choice => {
				onClose();
				if (choice === COPY) services.terminal.copy(sshText(route, forwards, identities));
				else
					services.renting.ssh.alone(async () =>
						enterInstance(connectTools(services, say), row, {forwards}),
					);
			}}
			onClose={onClose}
		/>
	);
}

const ways = ['up with scp', 'down with scp', 'up with rsync', 'down with rsync'] as const;

function refuse(text: string): string | undefined {
	return text.trim() === '' ? 'A path is needed.' : undefined;
}

function TransferPrompts({row, route, size, onClose}: Common) {
	const {theme} = useServices();
	const {typeToInk, copy} = useTerminal();
	const {ssh} = useRenting();
	const [local, setLocal] = useState<string>();
	const [remote, setRemote] = useState<string>();
	const field = {size, onClose: () => undefined, onLeave: onClose};
	const name = instanceNameOf(row.instance);
	if (local === undefined) {
		const lines = [
			'A file or a folder on this machine. The last Enter copies the command; nothing is transferred yet.',
		];
		const title = `Files of ${name}: here`;
		const here = {...field, title, lines, refuse, name: 'here', initial: './data'};
		return <Prompt key="here" {...here} onSend={setLocal} />;
	}
	if (remote === undefined) {
		const lines = ['A file or a folder in the instance.'];
		const title = `Files of ${name}: there`;
		const there = {...field, title, lines, refuse, name: 'there', initial: '/workspace/'};
		return <Prompt key="there" {...there} onSend={setRemote} />;
	}
	return (
		<Choice
			title={`Copy a command for the files of ${name}`}
			choices={ways}
			chosen={ways[0]}
			theme={theme}
			size={size}
			onType={typeToInk}
			onChoose={choice => {
				onClose();
				const identities = ssh.identities.files.get();
				const transfer = {isUpload: choice.startsWith('up'), local, remote, identities};
				const command = choice.endsWith('scp') ? scpCommand : rsyncCommand;
				copy(shellText(command(route, transfer)));
			}}
			onClose={onClose}
		/>
	);
}

/** Asks once whether OpenSSH may know the instances by name; later it only shows the name. */
function SshNameDialog({row, size, say, onClose}: Props) {
	const {ssh} = useRenting();
	const {copy} = useTerminal();
	const name = () => ssh.nameOf(row.instance.id);
	const [isAsked, setAsked] = useState(false);
	useEffect(() => {
		void begin();
		async function begin() {
			try {
				if (!(await ssh.config.isIncluded())) return setAsked(true);
				onClose();
				copy(`ssh ${name()}`);
			} catch (error) {
				onClose();
				say({text: `Your SSH configuration cannot be read: ${reasonOf(error)}`, isError: true});
			}
		}
		// oxlint-disable-next-line react/exhaustive-deps -- it is found out once, when this opens
	}, []);
	if (!isAsked) return null;
	async function include(): Promise<void> {
		try {
			await ssh.include();
			copy(`ssh ${name()}`);
		} catch (error) {
			say({text: `Nothing was changed: ${reasonOf(error)}`, isError: true});
		}
	}
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
				[
					'The names',
					`ssh ${name()}, scp and editors find what runs; rentty keeps them up to date.`,
				],
				['To undo it', 'Take that line out. Nothing else in the file is changed, ever.'],
			]}
			size={size}
			say={say}
			onConfirm={() => {
				onClose();
				void include();
			}}
			onCancel={onClose}
		/>
	);
}
