/** Views of the instances: how the list shows one, and the list of views with its keys. */
import {useLayoutEffect} from 'react';
import {isBuiltIn, viewNamed, viewsIn, withoutView, withView} from '../../../renter/fleet/views.ts';
import type {
	SavedView,
	Settings,
	SettingsStore,
} from '../../../renter/settings/default-settings.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {spread} from '../../ui/chrome.ts';
import {type EntryTarget, savedListKeys, type SavedFrame} from '../../list/saved-list.ts';
import type {Message} from '../../ui/message.ts';
import type {Theme} from '../../ui/theme.ts';
import type {InstanceListState, ViewEntry} from './list.tsx';
import {instanceListBindings} from './bindings.ts';
import {initializedTables, isShown, orderIn, showView} from './show-view.ts';
import {viewsBindings, type ViewsTarget} from './views-bindings.ts';
import {usualChoice} from '../../list/columns.ts';
import {SavedScope} from '../../list/overlays.tsx';
import {useColumnChoice} from '../../list/list-view.tsx';
import {useRebound} from '../../ui/key-scope.tsx';
import {useStore} from '../../ui/painted.tsx';
import {useServices, useSettings} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';

/** Begins with the wanted view, and removes a view's order and groups with the view. */
function followViews(list: InstanceListState, settings: Settings): () => void {
	const {table, grouped} = list;
	const start = viewNamed(settings, settings.startView);
	if (!initializedTables.has(table) && start !== undefined) showView(list, start);
	initializedTables.add(table);
	const {state} = table.filter;
	let before = state.get().view;
	return state.subscribe(() => {
		const {view} = state.get();
		const isLeft = before !== undefined && view === undefined;
		before = view;
		if (!isLeft) return;
		grouped.group(undefined);
		table.view.set({pickedId: undefined, order: []});
		table.reorder();
	});
}

function viewOf({table}: InstanceListState, settings: Settings): SavedView | undefined {
	const {view} = table.filter.state.get();
	return view && viewNamed(settings, view.name);
}

type Options = {
	readonly list: InstanceListState;
	readonly settings: SettingsStore;
	/** Reason why a view cannot have its key; undefined if it can. */
	readonly problemOf: (view: SavedView) => string | undefined;
	readonly say: (message: Message) => void;
};

function viewsTargets({list, settings, problemOf, say}: Options): {
	readonly views: ViewsTarget;
	readonly entry: EntryTarget;
} {
	const items = () => viewsIn(settings.get());
	const keys = savedListKeys<ViewEntry, SavedView>(list.views, items);
	const tell = (text: string) => say({text, isError: false});
	const changing = (act: (view: SavedView) => void) => () => {
		const view = keys.present();
		if (view === undefined) return;
		if (isBuiltIn(view)) tell(`"${view.name}" is rentty's own: it stays as it is.`);
		else act(view);
	};
	const views: ViewsTarget = {
		move: keys.move,
		close: keys.close,
		show() {
			const view = keys.present();
			if (view === undefined) return;
			showView(list, view);
			keys.close();
		},
		save() {
			const shown = viewOf(list, settings.get());
			keys.begin('name', shown === undefined || isBuiltIn(shown) ? '' : shown.name);
		},
		giveKey: changing(view => keys.begin('key', view.key)),
		startWith() {
			const view = keys.present();
			if (view === undefined) return;
			const isStart = settings.get().startView === view.name;
			settings.change({startView: isStart ? '' : view.name});
			keys.move(Number.NEGATIVE_INFINITY);
			tell(isStart ? 'Instances begin with all of them.' : `Instances begin with "${view.name}".`);
		},
		remove: changing(view => {
			settings.change(withoutView(settings.get(), view));
			keys.move(0);
			tell(`"${view.name}" is removed. Its words were: ${view.words || 'none'}`);
		}),
	};
	return {views, entry: entryTarget({list, settings, problemOf, say}, keys)};
}

function entryTarget(
	{list, settings, problemOf, say}: Options,
	{leave, refuse}: Pick<ReturnType<typeof savedListKeys>, 'leave' | 'refuse'>,
): EntryTarget {
	function change(view: SavedView, said: string): boolean {
		const patch = withView(settings.get(), view);
		if (typeof patch === 'string') {
			refuse(patch);
			return false;
		}
		settings.change(patch);
		leave();
		say({text: said, isError: false});
		return true;
	}
	return {
		leave,
		accept() {
			const now = list.views.get();
			if (now?.entry === undefined) return;
			const typed = now.entry.line.text.trim();
			if (now.entry.kind === 'name') {
				const view = presentView(list, settings.get(), typed);
				if (change(view, `Saved as "${typed}". b lists the views.`)) list.table.filter.show(view);
				return;
			}
			const view = viewsIn(settings.get())[now.cursor];
			if (view === undefined) return leave();
			const {key: _, ...rest} = view;
			const problem = typed === '' ? undefined : problemOf({...view, key: typed});
			if (problem !== undefined) refuse(`"${typed}" ${problem}.`);
			else if (typed === '') change(rest, `"${view.name}" has no key.`);
			else change({...rest, key: typed}, `${typed} shows "${view.name}" on Instances.`);
		},
	};
}

/** The present list as a view of this name, with the key of an earlier view of that name. */
function presentView(list: InstanceListState, settings: Settings, name: string): SavedView {
	const {table, grouped} = list;
	const group = grouped.by.get();
	const order = orderIn(table.view.get().order);
	const before = settings.views.find(view => view.name === name);
	const columns = viewOf(list, settings)?.columns ?? settings.columns['instances'];
	return {
		name,
		words: table.filter.words(),
		...(order.length > 0 && {order}),
		...(columns !== undefined && {columns}),
		...(group !== undefined && {group}),
		...(before?.key !== undefined && {key: before.key}),
	};
}

type ViewsLayout = {
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
	readonly settings: Settings;
	readonly list: InstanceListState;
	/** The key of a view; empty if it has none, or the key is taken. */
	readonly keyOf: (view: SavedView) => string;
};

function viewsFrame({theme, width, height, settings, list, keyOf}: ViewsLayout): SavedFrame {
	const views = viewsIn(settings);
	const own = settings.views.length;
	const words = printable(list.table.filter.words());
	return {
		theme,
		width,
		height,
		title: 'VIEWS OF INSTANCES',
		amounts: `${own} saved`,
		rows: views.map(view => {
			const isStart = view.name === settings.startView;
			const notes = [
				...(view.order === undefined ? [] : [`by ${view.order.join(' ')}`]),
				...(view.columns === undefined ? [] : ['own columns']),
				...(view.group === undefined ? [] : [`in groups by ${view.group}`]),
				...(isStart ? ['start'] : []),
			];
			const name = printable(view.name) + (isShown(list, view) ? ' *' : '');
			const asked = view.words === '' ? 'all' : printable(view.words);
			const left = `${fit(keyOf(view), 4)} ${fit(name, 20)} ${asked}`;
			return spread(width - 2, left, printable(notes.join(', ')));
		}),
		empty: '',
		typing: kind => ({
			words: words === '' ? 'all' : words,
			...(kind === 'name'
				? {
						prompt: 'name> ',
						about: ['Saves words, order, columns and groups as a view, in the settings file.'],
					}
				: {
						prompt: 'key> ',
						about: [
							'The key that shows it on Instances, by its name: a letter that is free, or F2, Ctrl-T. Empty takes its key away.',
						],
					}),
		}),
	};
}

const troubleKey = instanceListBindings.filter(({id}) => id === 'view-of-trouble');

type Props = Pick<ScreenProps, 'size' | 'say'> & {readonly list: InstanceListState};

export function ViewsOver({list, size, say}: Props) {
	const {theme, settings: store, terminal} = useServices();
	const settings = useSettings();
	const rebound = useRebound();
	const shown = useStore(list.views);
	if (shown === undefined) return null;
	const {viewKeyProblem: problemOf} = terminal;
	const keyOf = (view: SavedView) => {
		if (isBuiltIn(view))
			return rebound(troubleKey)
				.flatMap(({keys}) => keys)
				.join(' ');
		return problemOf(view) === undefined ? (view.key ?? '') : '';
	};
	const {views, entry} = viewsTargets({list, settings: store, problemOf, say});
	const look = {theme, settings, list, width: size.columns, height: size.rows};
	return (
		<SavedScope
			{...viewsFrame({...look, keyOf})}
			{...{shown, entry}}
			view={list.views}
			scope="Views"
			bindings={viewsBindings}
			target={views}
		/>
	);
}

/** Follows the present view; true while the list of views is open. */
export function useViews(list: InstanceListState): boolean {
	const {settings} = useServices();
	useLayoutEffect(() => followViews(list, settings.get()), [list, settings]);
	return useStore(list.views, view => view !== undefined);
}

/** The columns of the view that is shown, else those of the list, and a way to choose others for good. */
export function useViewColumns(list: InstanceListState): ReturnType<typeof useColumnChoice> {
	const {settings} = useServices();
	const usual = useColumnChoice('instances');
	const all = useSettings();
	useStore(list.table.filter.state, state => state.view);
	const view = viewOf(list, all);
	if (view?.columns === undefined) return usual;
	const present = () => viewOf(list, settings.get())?.columns ?? usualChoice;
	return {
		choice: view.columns,
		presentChoice: present,
		setChoice(columns) {
			const views = settings
				.get()
				.views.map(one => (one.name === view.name ? {...one, columns} : one));
			settings.change({views});
		},
	};
}
