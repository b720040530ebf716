import type {ReactNode} from 'react';
import {act, type Bindings} from '../bindings.ts';
import {useStore} from '../components/use-store.ts';
import {KeyScope} from '../key-scope.tsx';
import type {QueryLineTarget} from './query-bindings.ts';
import type {Store} from '../../renter/store.ts';
import type {Key} from '../terminal/input/keys.ts';
import {
	completeNext,
	pasteInto,
	recallLine,
	refused,
	typeInto,
	type QueryEdit,
	type QueryLanguage,
} from './query-edit.ts';

type Props<Meant> = {
	readonly edit: Store<QueryEdit<Meant> | undefined>;
	readonly language: () => QueryLanguage<Meant>;
	/** Earlier lines, the newest last. */
	readonly history: () => readonly string[];
	readonly bindings: Bindings<QueryLineTarget>;
	/** Asks for these words. They can be understood. */
	readonly onAsk: (words: string) => void;
	/** Leaves what was asked as it was. */
	readonly onLeave: () => void;
	readonly children: ReactNode;
};

const nothing: Bindings<QueryLineTarget> = [];

/**
 * The keys of a line of words about a noun. They look at the store and not at what is drawn: letters
 * right behind the key that opens the line are text, too.
 */
export function QueryScope<Meant>({edit, bindings, children, ...query}: Props<Meant>) {
	const isOpen = useStore(edit, now => now !== undefined);
	const change = (next: (now: QueryEdit<Meant>) => QueryEdit<Meant> | undefined) => {
		const now = edit.get();
		const changed = now && next(now);
		if (changed !== undefined) edit.set(changed);
		return changed !== undefined;
	};
	const recall = (step: 1 | -1) =>
		void change(now => recallLine(now, step, query.history(), query.language().parse));
	const target: QueryLineTarget = {
		/** Applies the line. One that cannot be understood stays open and says what is wrong. */
		apply() {
			const now = edit.get();
			if (now === undefined) return;
			const parsed = query.language().parse(now.line.text);
			if (parsed.problems.length > 0) edit.set(refused({...now, parsed}));
			else query.onAsk(now.line.text.trim());
		},
		leave: query.onLeave,
		recall,
		down: () => recall(-1),
		complete: step => void change(now => completeNext(now, step, query.language())),
	};
	const takeKey = (key: Key): boolean => {
		if (edit.get() === undefined) return false;
		const binding = bindings.find(({keys}) => keys.includes(key));
		if (binding === undefined) return change(now => typeInto(now, key, query.language().parse));
		act(binding, target);
		return true;
	};
	return (
		<KeyScope
			title="Query line"
			isModal={isOpen}
			bindings={isOpen ? bindings : nothing}
			target={target}
			onText={takeKey}
			onPaste={text => change(now => pasteInto(now, text, query.language().parse))}
		>
			{children}
		</KeyScope>
	);
}
