import {useLayoutEffect} from 'react';
import {isBuiltIn} from '../../../renter/fleet/views.ts';
import type {SavedView} from '../../../renter/settings/default-settings.ts';
import {usualChoice} from '../../list/chosen-columns.ts';
import {SavedScope} from '../../list/saved-scope.tsx';
import {useColumnChoice} from '../../list/list-scope.tsx';
import {useRebound} from '../../ui/key-scope.tsx';
import {useStore} from '../../ui/use-store.ts';
import {useServices, useSettings} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {instanceListBindings} from './bindings.ts';
import type {InstanceList} from './list.ts';
import {followViews, viewOf, viewsFrame, viewsTargets} from './views.ts';
import {viewsBindings} from './views-bindings.ts';

const troubleKey = instanceListBindings.filter(({id}) => id === 'view-of-trouble');

type Props = Pick<ScreenProps, 'size' | 'say'> & {readonly list: InstanceList};

/** The list of views, in the place of the instances. */
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

/** Follows which view is shown; whether the list of views is open. */
export function useViews(list: InstanceList): boolean {
	const {settings} = useServices();
	useLayoutEffect(() => followViews(list, settings.get()), [list, settings]);
	return useStore(list.views, view => view !== undefined);
}

/** The columns of the view that is shown, else those of the list, and a way to choose others for good. */
export function useViewColumns(list: InstanceList): ReturnType<typeof useColumnChoice> {
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
