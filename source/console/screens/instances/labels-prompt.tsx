import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {reasonOf} from '../../../renter/actions/instance-actions.ts';
import {numberedLabel, relabelled} from '../../../renter/words/lease.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {useServices} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {Prompt} from '../dialogs.tsx';
import {instanceNameOf} from './words.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	/** The instances, frozen when it opened, in the order in which they are numbered. */
	readonly rows: readonly FleetRow[];
	readonly onClose: () => void;
};

/** The label with its number, beside the lease of the present one; undefined if it is too long. */
function labelWith(present: string | null | undefined, text: string, at: number) {
	return relabelled(present, numberedLabel(text, at + 1));
}

/** Lines beside those of the instances. */
const OTHER_LINES = 11;

/** Asks for a label for several instances, each with its number. */
export function LabelsPrompt({rows, size, say, onClose}: Props) {
	const {client, fleet} = useServices();

	async function send(text: string): Promise<void> {
		const problems: string[] = [];
		const {instances} = await client();
		for (const [at, {instance}] of rows.entries()) {
			try {
				// The lease in the label may have changed meanwhile.
				const {label} = (await instances.show(instance.id)) ?? instance;
				const next = labelWith(label, text, at);
				if (next === undefined) throw new Error('beside its lease that is too long');
				await instances.label(instance.id, next);
			} catch (error) {
				problems.push(`${instance.id}: ${reasonOf(error)}.`);
			}
		}
		await fleet.refresh().catch(() => undefined);
		const done = `${rows.length - problems.length} of ${rows.length} were labelled.`;
		say({text: [done, ...problems].join(' '), isError: problems.length > 0});
	}

	return (
		<Prompt
			title={`Labels of ${rows.length} instances`}
			name="label"
			initial=""
			lines={['{} becomes 1, 2, 3 and so on. An empty one takes the labels away.', ' ']}
			size={size}
			refuse={text =>
				rows.every(({instance}, at) => labelWith(instance.label, text, at) !== undefined)
					? undefined
					: 'Beside the lease that a label keeps, that is too long.'
			}
			preview={text => {
				const lines = rows.map(
					({instance}, at) =>
						`${instanceNameOf(instance)} > ${printable(numberedLabel(text, at + 1)) || 'no label'}`,
				);
				const room = Math.max(1, size.rows - OTHER_LINES);
				if (lines.length <= room) return lines;
				return [...lines.slice(0, room - 1), `and ${lines.length - room + 1} more`];
			}}
			onSend={text => void send(text)}
			onClose={onClose}
		/>
	);
}
