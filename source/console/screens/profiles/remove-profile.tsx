import {messageOf} from '../../../contract/thrown.ts';
import {Dialog} from '../../components/dialog.tsx';
import {sentence} from '../../../renter/format.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {profileOf, type ProfileRow} from './rows.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly row: ProfileRow;
	readonly onDone: () => void;
};

/** Asks whether a profile shall be forgotten. */
export function RemoveProfile({row, size, say, onDone}: Props) {
	const {desk, theme, now, linkMs} = useServices();
	const key = profileOf(row)?.key;
	const facts = [
		['What happens', 'This machine forgets the profile. The account and its key stay as they are.'],
		[
			'Key',
			key?.kind === 'file'
				? 'A copy that rentty made of it is deleted.'
				: 'It is kept where it is.',
		],
		['Money', 'What runs there keeps running, and is charged.'],
	] as const;
	function remove(): void {
		try {
			desk.book.remove(row.name);
			say({text: `Profile ${row.name} is removed.`, isError: false});
		} catch (error) {
			say({text: sentence(messageOf(error)), isError: true});
		}
		onDone();
	}
	return (
		<Dialog
			question={{
				verb: 'remove',
				noun: 'profile',
				targets: [
					{
						id: row.name,
						name: '',
						detail: `${row.server}  ${row.mode}`,
						state: '',
						level: row.isOpen ? 2 : 1,
					},
				],
			}}
			facts={facts}
			theme={theme}
			size={size}
			now={now}
			linkMs={linkMs()}
			say={say}
			onConfirm={remove}
			onCancel={onDone}
		/>
	);
}
