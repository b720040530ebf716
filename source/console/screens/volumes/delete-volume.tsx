import {messageOf} from '../../../contract/thrown.ts';
import type {Volume} from '../../../contract/volumes.ts';
import {Dialog} from '../../components/dialog.tsx';
import {gigabytes, money, sentence} from '../../../renter/format.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {perMonth} from './columns.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly volume: Volume;
	readonly onClose: () => void;
};

/** Asks whether a volume shall be deleted with all that is on it. */
export function DeleteVolume({volume, size, say, onClose}: Props) {
	const {client, theme, now, linkMs} = useServices();
	async function remove(): Promise<void> {
		onClose();
		try {
			await (await client()).volumes.delete(volume.id);
			say({text: `Volume ${volume.id} is deleted, and is not charged any more.`, isError: false});
		} catch (error) {
			const why = messageOf(error);
			say({text: sentence(why), isError: true});
		}
		onClose();
	}
	const detail = `${gigabytes(volume.disk_space)}  ${volume.geolocation ?? ''}`;
	return (
		<Dialog
			question={{
				verb: 'delete',
				noun: 'volume',
				targets: [
					{id: volume.id, name: volume.label ?? '', detail, state: volume.status ?? '', level: 2},
				],
			}}
			facts={[
				['What happens', 'All that is on it is gone for good. Nobody keeps a copy.'],
				['Money', `${money(perMonth(volume))} a month is not charged any more.`],
			]}
			theme={theme}
			size={size}
			now={now}
			linkMs={linkMs()}
			say={say}
			onConfirm={() => void remove()}
			onCancel={onClose}
		/>
	);
}
