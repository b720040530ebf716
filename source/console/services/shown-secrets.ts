/** Secrets that a service says once: each is shown until it is left, whatever else happens on the screen. */
import type {SecretFileTarget, SecretTarget} from '../ui/dialog-bindings.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {keepSecret, proposeFile} from '../../renter/files/own-files.ts';
import {isListening, type Moment} from '../ui/confirmation.ts';
import {
	type SecretText,
	copied,
	keptIn,
	leaveSecret,
	nameFile,
	notKept,
	openSecret,
	stopNaming,
	type SecretView,
} from '../ui/secret-dialog.tsx';
import type {Clipboard} from './copy.ts';
import {createStore, type Readable, type Store} from '../../renter/state/store.ts';

export type ShownSecret = SecretText & {
	/** Proposed file name: "instance-812". */
	readonly fileName: string;
	/** Somebody has it already, so that leaving needs no warning. @default false */
	readonly isSafe?: boolean;
	/** Called once it, and whatever waits behind it, was left. */
	readonly onLeft?: () => void;
};

/** A secret on the screen, with what was done about it. */
export type SecretOnScreen = SecretText & {
	readonly view: Store<SecretView>;
	readonly target: SecretTarget & SecretFileTarget;
	readonly more: number;
};

export type ShownSecrets = {
	/** The one that is on the screen. */
	readonly shown: Readable<SecretOnScreen | undefined>;
	/** Shows a secret, behind those that are shown already. */
	readonly show: (secret: ShownSecret) => void;
};

type Options = {
	readonly clipboard: Clipboard;
	/** The user's own folder. */
	readonly home: string;
	/** Name of the service: ids of instances belong to one service. */
	readonly service: string;
	readonly moment: () => Moment;
};

export function createShownSecrets(options: Options): ShownSecrets {
	const shown = createStore<SecretOnScreen | undefined>(undefined);
	let queue: readonly ShownSecret[] = [];
	let drawn: ShownSecret | undefined;
	let whenLeft: ReadonlyArray<() => void> = [];

	/** Puts the first of the queue on the screen, and says how many are behind it. */
	function draw(): void {
		const [first] = queue;
		if (first === undefined) return shown.set(undefined);
		const present = shown.get();
		const more = queue.length - 1;
		if (present !== undefined && drawn === first) return shown.set({...present, more});
		drawn = first;
		const view = createStore(openSecret(first.isSafe === true, options.moment()));
		shown.set({...first, view, more, target: targetOf(first, view, {...options, leave})});
	}

	function leave(): void {
		const [first, ...others] = queue;
		if (first?.onLeft !== undefined) whenLeft = [...whenLeft, first.onLeft];
		queue = others;
		draw();
		if (queue.length > 0) return;
		const calls = whenLeft;
		whenLeft = [];
		for (const call of calls) call();
	}

	return {
		shown,
		show(secret) {
			queue = [...queue, secret];
			draw();
		},
	};
}

type Given = Options & {readonly leave: () => void};

function targetOf(
	{secret, fileName}: ShownSecret,
	view: Store<SecretView>,
	{clipboard, home, service, moment, leave}: Given,
): SecretOnScreen['target'] {
	let isWriting = false;
	const listening = (act: () => void) => () => {
		if (isListening(view.get(), moment())) act();
	};
	async function keep(): Promise<void> {
		isWriting = true;
		try {
			const file = await keepSecret(view.get().line.text, secret, home);
			view.set(keptIn(view.get(), file));
		} catch (error) {
			view.set(notKept(view.get(), messageOf(error)));
		} finally {
			isWriting = false;
		}
	}
	return {
		copy: listening(() => view.set(copied(view.get(), clipboard(secret)))),
		name: listening(() => view.set(nameFile(view.get(), proposeFile([service, fileName], home)))),
		leave: listening(() => {
			const next = leaveSecret(view.get(), moment());
			if (next === undefined) leave();
			else view.set(next);
		}),
		keep() {
			if (!isWriting) void keep();
		},
		back() {
			if (!isWriting) view.set(stopNaming(view.get()));
		},
	};
}
