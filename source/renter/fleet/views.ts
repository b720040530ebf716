/**
 * Views of the instances: words that select some of them, with an order, columns and a key of their
 * own.
 */
import type {SavedView, Settings} from '../settings/default-settings.ts';

/** Built-in views. Their keys are bindings like all others. */
const builtInViews: readonly SavedView[] = [{name: 'trouble', words: 'trouble'}];

export function isBuiltIn({name}: SavedView): boolean {
	return builtInViews.some(view => view.name === name);
}

/** All views, the initial one of Instances first. */
export function viewsIn({views, startView}: Settings): readonly SavedView[] {
	const own = views.filter(view => !isBuiltIn(view));
	const all = [...builtInViews, ...own];
	return all.toSorted((a, b) => Number(b.name === startView) - Number(a.name === startView));
}

export function viewNamed(settings: Settings, name: string): SavedView | undefined {
	return viewsIn(settings).find(view => view.name === name);
}

const LONGEST_NAME = 40;

/** Saves a view, replacing one of the same name; a sentence for an invalid name. */
export function withView(settings: Settings, view: SavedView): Partial<Settings> | string {
	const {name} = view;
	if (name === '') return 'A view is saved under a name: type one, or Esc leaves.';
	if (name.length > LONGEST_NAME) return `A name has at most ${LONGEST_NAME} characters.`;
	if (isBuiltIn(view)) return `"${name}" is a view that rentty has by itself: take another name.`;
	return {
		views: settings.views.some(saved => saved.name === name)
			? settings.views.map(saved => (saved.name === name ? view : saved))
			: [...settings.views, view],
	};
}

/** Removes a view, and clears it as the initial one. */
export function withoutView({views, startView}: Settings, {name}: SavedView): Partial<Settings> {
	return {
		views: views.filter(saved => saved.name !== name),
		...(startView === name && {startView: ''}),
	};
}
