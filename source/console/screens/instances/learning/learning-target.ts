import type {Store} from '../../../../renter/state/store.ts';
import type {ComparedRun} from '../../../../renter/training/compared-runs.ts';
import {otherScale} from '../../../ui/log-scale.ts';
import {MOST_ZOOM, smooths, stepRead, type LearningState} from './learning-state.ts';
import {toggled} from './over-runs.ts';

export type ChangeLearning = (part: (state: LearningState) => Partial<LearningState>) => void;

/** Key methods that change what is drawn. */
export function curveKeys(change: ChangeLearning) {
	return {
		read: (step: number) =>
			change(({at, reading: seen}) => ({at: stepRead(seen?.training.steps ?? [], at, step)})),
		follow: () => change(() => ({at: undefined})),
		zoom: (step: 1 | -1) =>
			change(({zoom}) => ({zoom: Math.max(0, Math.min(MOST_ZOOM, zoom + step))})),
		smooth: (step: 1 | -1) => change(({smooth}) => ({smooth: smoothed(smooth, step)})),
		series: () => change(({series}) => ({series: series === 'loss' ? 'rate' : 'loss'})),
		scale: () => change(({scale}) => ({scale: otherScale(scale)})),
		pattern: () => change(() => ({instead: 'pattern'})),
		numbers: () => change(() => ({instead: 'numbers'})),
	};
}

export type Others = () => readonly ComparedRun[];

export function runChooserTarget(store: Store<LearningState>, others: Others) {
	const change = (part: Partial<LearningState>) => store.set({...store.get(), ...part});
	return {
		step(by: number) {
			const {choosing = 0} = store.get();
			change({choosing: Math.max(0, Math.min(choosing + by, others().length - 1))});
		},
		toggle() {
			const {choosing = 0, over} = store.get();
			const id = others()[choosing]?.id;
			if (id !== undefined) change({over: toggled(over, id)});
		},
		none: () => change({over: []}),
		close: () => change({choosing: undefined}),
	};
}

function smoothed(smooth: number, step: 1 | -1): number {
	const next = step > 0 ? (smooth === 1 ? 5 : smooth * 2) : smooth <= 5 ? 1 : smooth / 2;
	return Math.max(smooths.least, Math.min(smooths.most, next));
}
