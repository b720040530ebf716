import {useQueryClient} from '@tanstack/react-query';
import {useMemo, useState} from 'react';
import {timeOfDay} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {undoTextsOf, type Undoable} from '../../../renter/actions/undo.ts';
import {standingOf, takeBack} from '../../../renter/actions/undo-history.ts';
import {ConfirmDialog, notifyOutcome} from '../dialogs.tsx';
import {Notice} from '../../ui/notice.tsx';
import {useStore} from '../../ui/painted.tsx';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {ListScreen} from '../../list/list-view.tsx';
import {keptByStackEntry, type ScreenProps} from '../../services/router.ts';
import {useServices} from '../../services/services.tsx';
import {createStore} from '../../../renter/state/store.ts';
import {templatesKey} from '../../queries/templates.ts';
import {undoBindings, undoColumns} from './activity.ts';

type Row = {
	readonly id: number;
	readonly entry: Undoable;
	readonly when: string;
	readonly what: string;
	readonly about: string;
	readonly back: string;
};

const listAt = keptByStackEntry(() => createList<Row>(undoColumns(120), ({id}) => id));

type Asked = {readonly entry: Undoable; readonly sinceThen: string | undefined};

const undoList = {
	title: 'Undo',
	heading: 'Changes that can be taken back',
	bindings: undoBindings,
	note: () => '',
	about: (row: Row | undefined) => (row === undefined ? '' : ` ${sentenceOf(row.entry)}`),
} as const;

const nothing = {
	title: 'Nothing can be taken back.',
	lines: ['Labels, templates and settings that are changed from here are listed here.'],
};

/** Changes that can be taken back, the newest first. */
export function UndoScreen({stackEntry, router, size, say}: ScreenProps) {
	const services = useServices();
	const {undo} = services;
	const live = useQueryClient();
	const list = listAt(stackEntry);
	const entries = useStore(undo.list);
	const rows = useMemo(() => entries.map(rowOf), [entries]);
	const columns = useMemo(() => undoColumns(size.columns - GUTTER), [size.columns]);
	const [asked, setAsked] = useState<Asked>();
	/** The last check that began: the answer of one before it opens no question. */
	const [checking] = useState(() => createStore({}));

	const change = async (act: () => Promise<string | undefined>) =>
		notifyOutcome(say, act, 'Not taken back: ');

	async function check(entry: Undoable): Promise<void> {
		say({text: 'Asking how it is at present', isError: false});
		const own = {};
		checking.set(own);
		await change(async () => {
			const standing = await standingOf(entry, services);
			if (checking.get() !== own) return undefined;
			if (standing.kind === 'impossible') {
				say({text: `Not taken back: ${standing.why}.`, isError: true});
				return undefined;
			}
			setAsked({entry, sinceThen: standing.sinceThen});
			return '';
		});
	}

	async function confirm(entry: Undoable): Promise<void> {
		setAsked(undefined);
		await change(async () => {
			await takeBack(entry, services);
			undo.forget(entry);
			return `Taken back: ${sentenceOf(entry)}`;
		});
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
	const target = {open: list.act(({entry}) => void check(entry))};
	return (
		<ListScreen
			{...undoList}
			{...{list, columns, router, target, rows, size}}
			instead={<Notice {...nothing} width={size.columns} height={size.rows} />}
		/>
	);
}

function rowOf(entry: Undoable, at: number): Row {
	const date = new Date(entry.at);
	const day = `${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
	return {id: at, entry, when: `${day} ${timeOfDay(date).slice(0, 5)}`, ...undoTextsOf(entry)};
}

function sentenceOf(entry: Undoable): string {
	const {what, about, back} = undoTextsOf(entry);
	return printable(`${what} of ${about}: ${back}.`);
}

type DialogProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly asked: Asked;
	readonly onConfirm: () => void;
	readonly onCancel: () => void;
};

function UndoDialog({asked: {entry, sinceThen}, size, say, onConfirm, onCancel}: DialogProps) {
	const {what, about, back} = undoTextsOf(entry);
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
