import {statusOf} from '../../contract/rules/thrown.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import {isKeyRefused} from '../../client/exchange/key-refusal.ts';
import {sentence} from '../../renter/text/format.ts';
import {Notice} from '../ui/notice.tsx';
import {unreadNotice} from '../list/unreadable.ts';
import type {ScreenProps} from '../services/router.ts';

type Props = Pick<ScreenProps, 'size'> & {
	readonly error: Error | null;
	readonly isFetching: boolean;
	readonly unreadable: Unreadable;
	/** Name of the records in the plural: `machines`. */
	readonly noun: string;
	/** Sentence about a service that has no such list. */
	readonly missing: string;
	/** Title and lines where the list is empty. */
	readonly empty: readonly [title: string, ...lines: readonly string[]];
};

/** Notice in the place of a list without rows: it is asked for, failed, or is empty. */
export function ListNotice({error, isFetching, unreadable, noun, missing, empty, size}: Props) {
	const room = {width: size.columns, height: size.rows};
	if (isFetching) return <Notice title={`Asking for ${noun}`} {...room} />;
	if (error !== null) {
		const isMissing = statusOf(error) === 404 && !isKeyRefused(error);
		const title = isMissing ? missing : sentence(error.message);
		return <Notice title={title} lines={['R tries again.']} {...room} />;
	}
	const unread = unreadNotice(unreadable, noun, room.height);
	if (unread !== undefined) return <Notice {...unread} {...room} />;
	const [title, ...lines] = empty;
	return <Notice title={title} lines={lines} {...room} />;
}
