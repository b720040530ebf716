import type {Router} from '../../services/router.ts';
import type {Size} from '../../terminal/terminal.ts';
import {cursorLines} from './overview-lines.ts';
import {
	cursorLineIndex,
	movedIn,
	overviewSpans,
	type overviewAt,
	type OverviewState,
	type OverviewData,
} from './overview-state.ts';

type Moving = {
	readonly state: ReturnType<typeof overviewAt>['state'];
	readonly router: Router;
	readonly size: Size;
};

/** Key methods that move the cursor, and that open the line under it. */
export function cursorTarget(see: () => OverviewData, {state, router, size}: Moving) {
	const lines = () => cursorLines(see(), state.get(), size);
	const current = () => {
		const all = lines();
		return all[cursorLineIndex(all, state.get())];
	};
	const change = (part: Partial<OverviewState>) => state.set({...state.get(), ...part});
	const move = (step: Parameters<typeof movedIn>[2]) =>
		change({cursor: movedIn(lines(), state.get(), step)});
	const instance = () => {
		const {goes} = current() ?? {};
		return goes?.name === 'instance' ? goes : undefined;
	};
	const troubled = () => lines().filter(({part}) => part === 'TROUBLE');
	return {
		open() {
			const line = current();
			if (line !== undefined) router.go(line.goes);
		},
		nothing: () => (current() === undefined ? 'there is nothing to go to' : undefined),
		move,
		/** Keeps the cursor on its line, whatever comes before it. */
		hold() {
			const before = state.get().cursor;
			const cursor = current()?.key;
			change({cursor});
			const catchUp = () => {
				if (state.get().cursor === cursor) change({cursor: before});
			};
			return {end() {}, catchUp};
		},
		nextTrouble() {
			const all = troubled();
			const at = all.findIndex(({key}) => key === state.get().cursor);
			change({cursor: all[(at + 1) % all.length]?.key});
		},
		allWell: () => (troubled().length === 0 ? 'nothing is in trouble' : undefined),
		page(page: 'Run' | 'Usage') {
			const at = instance();
			if (at !== undefined) router.go({...at, page});
		},
		noInstance: () => (instance() === undefined ? 'the cursor is on no instance' : undefined),
		span(step: 1 | -1) {
			const {span} = state.get();
			change({span: Math.max(0, Math.min(span + step, overviewSpans.length - 1))});
		},
		numbers: () => change({isTable: !state.get().isTable}),
	};
}
