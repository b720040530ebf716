import {Notice} from '../../components/notice.tsx';
import {useStore} from '../../components/use-store.ts';
import {incompleteText} from '../../../renter/fleet/fleet-words.ts';
import {count, sentence} from '../../../renter/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {useServices} from '../../services.tsx';
import {wantedIn, type InstanceList} from './list.ts';
import type {ListStatus} from './list-status.ts';

type Props = {
	readonly status: ListStatus;
	readonly list: InstanceList;
	readonly width: number;
	readonly height: number;
};

/** The notice in place of a list without rows. */
export function InstancesNotice({status, list, ...room}: Props) {
	const {fleet} = useServices();
	const {error, rows, incomplete} = useStore(fleet.state);
	switch (status) {
		case 'rows':
		case 'unasked':
			return <Notice title="Asking what is rented" {...room} />;
		case 'failed': {
			const lines = ['Instances that run are not affected, and keep charging.', 'R tries again.'];
			return <Notice title={sentence(error?.message ?? 'It failed')} lines={lines} {...room} />;
		}
		case 'none': {
			if (incomplete !== undefined) {
				const lines = ['What runs is charged. R asks again.'];
				return <Notice title={`${incompleteText(incomplete)}.`} lines={lines} {...room} />;
			}
			const lines = ['Nothing is charged as far as this key can see.', '1 looks for offers.'];
			return <Notice title="Nothing is running." lines={lines} {...room} />;
		}
		case 'filtered': {
			const {words, view} = wantedIn(list);
			const amount = `${count(rows.length)} instance${rows.length === 1 ? '' : 's'}`;
			const why =
				view?.words === words ? `none in the view "${view.name}"` : `none match "${words}"`;
			const title = printable(`${amount}, ${why}.`);
			return <Notice title={title} lines={['Esc shows all.']} {...room} />;
		}
	}
}
