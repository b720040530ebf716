import type {Approval, ApprovalAnswer} from '../../../renter/agents/approvals.ts';
import {printable} from '../../../renter/text/text-width.ts';
import type {ScreenProps} from '../../services/router.ts';
import {useServices} from '../../services/services.tsx';
import type {ActionTarget} from '../../ui/confirmation.ts';
import type {DialogFact} from '../../ui/dialog-lines.ts';
import {useStore} from '../../ui/painted.tsx';
import {ConfirmDialog, notifyOutcome} from '../dialogs.tsx';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly approval: Approval;
	readonly answer: ApprovalAnswer;
	readonly onClose: () => void;
};

/** Shows all of a quote; leaving gives no answer. */
export function ApprovalDialog({approval, answer, size, say, onClose}: Props) {
	const {agents} = useServices();
	const waiting = useStore(agents.waiting);
	const {id, agent, words} = approval;
	const target: ActionTarget = {
		id: agent,
		name: '',
		detail: 'wants to rent',
		state: 'waiting',
		level: 1,
	};
	async function send(): Promise<void> {
		onClose();
		await notifyOutcome(
			say,
			async () => {
				if (!(await agents.answer(id, answer))) {
					throw new Error('it was answered elsewhere, or its five minutes are over');
				}
				return answer === 'yes'
					? `Allowed: ${agent} may rent with this quote, once.`
					: `Refused: ${agent} does not rent with this quote.`;
			},
			'Not answered: ',
		);
	}
	return (
		<ConfirmDialog
			question={{
				verb: answer === 'yes' ? 'allow' : 'refuse',
				noun: 'rent',
				targets: [target],
			}}
			present={waiting.some(one => one.id === id) ? [target] : []}
			facts={[...words.map(factOf), ['Then', meanings[answer]]]}
			{...{size, say}}
			onConfirm={() => void send()}
			onCancel={onClose}
		/>
	);
}

const meanings: Readonly<Record<ApprovalAnswer, string>> = {
	yes: 'it counts for this quote alone; without an answer within five minutes it is refused',
	no: 'nothing is rented; the agent may ask with another quote',
};

/** The text has its own column, so that a long one cannot pass for another line. */
function factOf(line: string): DialogFact {
	const at = line.indexOf(': ');
	return [printable(line.slice(0, at)), printable(line.slice(at + 2))];
}
