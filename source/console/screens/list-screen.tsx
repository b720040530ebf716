import type {ComponentProps, ReactNode} from 'react';
import {isKeyRefused} from '../../client/exchange/errors.ts';
import {noneUnreadable, type Unreadable} from '../../contract/grammar/unreadable.ts';
import {statusOf} from '../../contract/rules/thrown.ts';
import {sentence} from '../../renter/text/format.ts';
import {TitledList, ListScope, useRows} from '../list/list-view.tsx';
import {unreadNotice} from '../list/unreadable.ts';
import type {ScreenProps} from '../services/router.ts';
import {Notice} from '../ui/notice.tsx';

type Props<Row extends object, Own> = Omit<ComponentProps<typeof ListScope<Row, Own>>, 'children'> &
	Pick<ComponentProps<typeof TitledList<Row>>, 'size' | 'about'> & {
		/** Words over the rows, and a note about all of them. */
		readonly heading: string;
		readonly note: (rows: readonly Row[]) => string;
		/** Undefined until they are known. */
		readonly rows: readonly Row[] | undefined;
		readonly unreadable?: Unreadable;
		/** Notice in the place of the rows where there are none. */
		readonly instead: ReactNode;
		/** Question over the rows. */
		readonly children?: ReactNode;
	};

/** The screen of a noun: its rows under a heading, with the keys of lists and its own. */
export function ListScreen<Row extends object, Own>(props: Props<Row, Own>) {
	const {heading, note, about, rows, unreadable = noneUnreadable, size, ...around} = props;
	const {instead, children, ...scope} = around;
	const {list, columns} = scope;
	useRows(list, rows);
	return (
		<ListScope {...scope}>
			{children}
			{rows === undefined || rows.length === 0 ? (
				instead
			) : (
				<TitledList
					title={heading}
					note={note(rows)}
					{...{about, list, columns, size, unreadable}}
				/>
			)}
		</ListScope>
	);
}

type NoticeProps = Pick<ScreenProps, 'size'> & {
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
export function ListNotice({
	error,
	isFetching,
	unreadable,
	noun,
	missing,
	empty,
	size,
}: NoticeProps) {
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
