import {useQueryClient} from '@tanstack/react-query';
import {useMemo, useState} from 'react';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {messageOf} from '../../../contract/rules/thrown.ts';
import {sentence, timeOfDay} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {wordsOf, type Undoable} from '../../../renter/actions/undo.ts';
import {standingOf, takeBack} from '../../../renter/actions/undo-history.ts';
import {ConfirmDialog} from '../dialogs.tsx';
import {Notice} from '../../ui/notice.tsx';
import {useStore} from '../../ui/use-store.ts';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {ListScope, useRows} from '../../list/list-scope.tsx';
import {textColumns} from '../../list/text-columns.ts';
import {TitledList} from '../../list/list-rows.tsx';
import {kept, type ScreenProps} from '../../services/router.ts';
import {useServices} from '../../services/services.tsx';
import {templatesKey} from '../../queries/templates.ts';
import {undoBindings} from './bindings.ts';

type Row = {
	readonly id: number;
	readonly entry: Undoable;
	readonly when: string;
	readonly what: string;
	readonly about: string;
	readonly back: string;
};

const columnsFor = (width: number) => {
	const isNarrow = width < 70;
	const widths = [11, isNarrow ? 10 : 16, isNarrow ? 12 : 22] as const;
	const rest = Math.max(8, width - widths[0] - widths[1] - widths[2] - 3);
	return textColumns([
		['when', 'WHEN', widths[0], 0],
		['what', 'WHAT', widths[1], 0],
		['about', 'ABOUT', widths[2], 0],
		['back', 'BACK TO', rest, 0],
	]);
};

const listAt = kept(() => createList<Row>(columnsFor(120), ({id}) => id));

type Asked = {readonly entry: Undoable; readonly sinceThen: string | undefined};

/** Changes that can be taken back, the newest first. */
export function UndoScreen({place, router, size, say}: ScreenProps) {
	const services = useServices();
	const {undo} = services;
	const live = useQueryClient();
	const list = listAt(place);
	const entries = useStore(undo.list);
	const rows = useMemo(() => entries.map(rowOf), [entries]);
	const columns = useMemo(() => columnsFor(size.columns - GUTTER), [size.columns]);
	const [asked, setAsked] = useState<Asked>();
	useRows(list, rows);

	async function look(entry: Undoable): Promise<void> {
		say({text: 'Asking how it is at present', isError: false});
		try {
			const standing = await standingOf(entry, services);
			if (standing.kind === 'impossible') {
				say({text: `Not taken back: ${standing.why}.`, isError: true});
				return;
			}
			say({text: '', isError: false});
			setAsked({entry, sinceThen: standing.sinceThen});
		} catch (error) {
			say({text: `Not taken back: ${sentence(messageOf(error))}`, isError: true});
		}
	}

	async function confirm(entry: Undoable): Promise<void> {
		setAsked(undefined);
		try {
			await takeBack(entry, services);
			undo.forget(entry);
			say({text: `Taken back: ${sentenceOf(entry)}`, isError: false});
		} catch (error) {
			say({text: `Not taken back: ${sentence(messageOf(error))}`, isError: true});
		}
		await live.invalidateQueries({queryKey: templatesKey});
		if (entry.kind === 'label') await services.fleet.refresh().catch(() => undefined);
	}

	if (asked !== undefined) {
		const answers = {
			onConfirm: () => void confirm(asked.entry),
			onCancel: () => setAsked(undefined),
		};
		return <UndoDialog {...{asked, size, say, ...answers}} />;
	}
	const target = {open: list.act(({entry}) => void look(entry))};
	return (
		<ListScope title="Undo" bindings={undoBindings} {...{list, columns, router, target}}>
			{rows.length === 0 ? (
				<Nothing {...size} />
			) : (
				<TitledList
					title="Changes that can be taken back"
					note=""
					{...{list, columns, size}}
					unreadable={noneUnreadable}
					about={row => (row === undefined ? '' : ` ${sentenceOf(row.entry)}`)}
				/>
			)}
		</ListScope>
	);
}

function Nothing({columns, rows}: ScreenProps['size']) {
	return (
		<Notice
			title="Nothing can be taken back."
			lines={['Labels, templates and settings that are changed from here are listed here.']}
			width={columns}
			height={rows}
		/>
	);
}

function rowOf(entry: Undoable, at: number): Row {
	const date = new Date(entry.at);
	const day = `${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
	return {id: at, entry, when: `${day} ${timeOfDay(date).slice(0, 5)}`, ...wordsOf(entry)};
}

function sentenceOf(entry: Undoable): string {
	const {what, about, back} = wordsOf(entry);
	return printable(`${what} of ${about}: ${back}.`);
}

type DialogProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly asked: Asked;
	readonly onConfirm: () => void;
	readonly onCancel: () => void;
};

function UndoDialog({asked: {entry, sinceThen}, size, say, onConfirm, onCancel}: DialogProps) {
	const {what, about, back} = wordsOf(entry);
	const copied = 'it gets a new number and a new hash, and its registry password is not kept';
	const isDeleted = entry.kind === 'template' && entry.after === undefined;
	return (
		<ConfirmDialog
			question={{
				verb: 'take back',
				noun: 'change',
				targets: [{id: 1, name: '', detail: printable(`${what} of ${about}`), state: '', level: 1}],
			}}
			facts={[
				['back to', printable(back)],
				['since then', printable(sinceThen ?? 'nothing has changed')],
				...(isDeleted ? [['template', copied] as const] : []),
			]}
			{...{size, say, onConfirm, onCancel}}
		/>
	);
}
