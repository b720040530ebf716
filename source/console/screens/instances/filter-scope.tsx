import {useState, useSyncExternalStore} from 'react';
import type {ReactNode} from 'react';
import {editLine, insertText} from '../../components/line-edit.ts';
import {Typing} from '../../components/typing.tsx';
import {KeyScope} from '../../key-scope.tsx';
import type {Key} from '../../terminal/input/keys.ts';
import {filterBindings} from './bindings.ts';
import type {InstanceList, Sieve} from './list.ts';

type Props = {readonly list: InstanceList; readonly children: ReactNode};

/** Gives the keyboard to the filter for as long as it is open; the rows follow every letter. */
export function FilterScope({list: {sieve}, children}: Props) {
	const {isOpen} = useSyncExternalStore(sieve.subscribe, sieve.get);
	return (
		<Typing onKey={key => sieve.get().isOpen && typeInto(sieve, key)}>
			{children}
			{isOpen ? <OpenFilter sieve={sieve} /> : null}
		</Typing>
	);
}

function typeInto(sieve: InstanceList['sieve'], key: Key): boolean {
	const line = editLine(sieve.get().line, key);
	if (line !== undefined) sieve.set({...sieve.get(), line});
	return line !== undefined;
}

function OpenFilter({sieve}: Pick<InstanceList, 'sieve'>) {
	const [before] = useState(() => sieve.get().line);
	const close = (line: Sieve['line']) => sieve.set({...sieve.get(), line, isOpen: false});
	return (
		<KeyScope
			isModal
			title="Filter"
			bindings={filterBindings}
			target={{apply: () => close(sieve.get().line), restore: () => close(before)}}
			onText={key => {
				typeInto(sieve, key);
				return true;
			}}
			onPaste={text => {
				sieve.set({...sieve.get(), line: insertText(sieve.get().line, text)});
				return true;
			}}
		>
			{null}
		</KeyScope>
	);
}
