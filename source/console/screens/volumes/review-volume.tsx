import type {Client} from '../../../client/client.ts';
import {messageOf} from '../../../contract/rules/thrown.ts';
import type {Volume, VolumeOffer} from '../../../contract/nouns/volumes.ts';
import {money, sentence} from '../../../renter/text/format.ts';
import type {ScreenProps} from '../../services/router.ts';
import {useServices} from '../../services/services.tsx';
import {ConfirmDialog} from '../dialogs.tsx';
import {perMonth} from './columns.ts';

type ReviewProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly offer: VolumeOffer;
	readonly source: Volume | undefined;
	readonly sizeGb: number;
	readonly onBack: () => void;
	readonly onDone: () => void;
};

/** Shows what a volume, or a clone, will cost and where it will be, before it is made. */
export function ReviewVolume(props: ReviewProps) {
	const {offer, source, sizeGb, size, say, onBack, onDone} = props;
	const {client} = useServices();
	async function create(): Promise<void> {
		onDone();
		try {
			say({text: await makeVolume(await client(), props), isError: false});
		} catch (error) {
			say({text: sentence(messageOf(error)), isError: true});
		}
		onDone();
	}
	return (
		<ConfirmDialog
			question={{
				verb: source === undefined ? 'create' : 'clone',
				noun: 'volume',
				targets: [
					{
						id: offer.id,
						name: '',
						detail: `${sizeGb} GB on machine ${offer.machine_id ?? '-'}  ${offer.geolocation ?? ''}`,
						state: '',
						level: 1,
					},
				],
			}}
			facts={[
				[
					'Money',
					source === undefined
						? `${money(perMonth(offer))} a month, charged until you delete it.`
						: `${money(perMonth(offer))} a month, charged from now on.`,
				],
				['Where', 'Only instances of this machine can mount it.'],
			]}
			size={size}
			say={say}
			onConfirm={() => void create()}
			onCancel={onBack}
		/>
	);
}

/** Makes the volume, and answers what is said of it. */
async function makeVolume(client: Client, {offer, source, sizeGb}: ReviewProps): Promise<string> {
	if (source === undefined) {
		const name = await client.volumes.create({offerId: offer.id, sizeGb});
		return `Volume ${name} is there, and is charged from now on.`;
	}
	const mostPerGb = offer.storage_cost ?? undefined;
	const clone = {sourceId: source.id, offerId: offer.id, sizeGb, mostPerGb};
	const id = await client.volumes.copy(clone);
	return `Volume V.${id} is being made, and is charged from now on.`;
}
