/** Texts that are copied through the terminal, and secrets that are shown once until they are left. */
import type {Message} from '../ui/message.ts';
import {printable} from '../../renter/text/text-width.ts';
import type {SecretFileTarget, SecretTarget} from '../ui/dialog-bindings.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {keepSecret, proposeFile} from '../../renter/files/own-files.ts';
import {isListening, type ConfirmationTiming} from '../ui/confirmation.ts';
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
import {createStore, type Readable, type Store} from '../../renter/state/store.ts';

/** Largest text that terminals accept, in bytes of base64. */
const MOST_BYTES = 74_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The bytes (OSC 52) that put a text into the clipboard over SSH too, also through tmux and screen; undefined for a text
 * that is too long for it.
 */
export function clipboardSequence(text: string, environment: Environment): string | undefined {
	const encoded = Buffer.from(text, 'utf8').toString('base64');
	if (encoded.length > MOST_BYTES) return undefined;
	const plain = `\u001B]52;c;${encoded}\u0007`;
	// tmux takes the plain form where it may set the clipboard, and passes the other on where it may do that.
	if (isSet(environment['TMUX'])) return plain + throughTmux(plain);
	return isSet(environment['STY']) ? throughScreen(plain) : plain;
}

function throughTmux(sequence: string): string {
	return `\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\`;
}

/** Largest piece that GNU screen passes on uncut. */
const SCREEN_BYTES = 250;

function throughScreen(sequence: string): string {
	const parts = Math.ceil(sequence.length / SCREEN_BYTES);
	return Array.from({length: parts}, (_, part) => {
		const piece = sequence.slice(part * SCREEN_BYTES, (part + 1) * SCREEN_BYTES);
		return `\u001BP${piece}\u001B\\`;
	}).join('');
}

function isSet(value: string | undefined): boolean {
	return value !== undefined && value !== '';
}

type ClipboardOptions = {
	readonly environment: Environment;
	readonly send: (sequence: string) => void;
	/** Fills the buffer that tmux itself pastes from. */
	readonly fillTmux: (text: string) => Promise<void>;
};

/** Sends a text to the clipboard; false if it is longer than terminals take. */
type Clipboard = (text: string) => boolean;

export function openClipboard({environment, send, fillTmux}: ClipboardOptions): Clipboard {
	return text => {
		const sequence = clipboardSequence(text, environment);
		if (sequence !== undefined) send(sequence);
		if (isSet(environment['TMUX'])) fillTmux(text).catch(() => undefined);
		return sequence !== undefined;
	};
}

/** Copies a text, and always shows it too, to be selected where the clipboard stayed empty. */
export function copier(clipboard: Clipboard, say: (message: Message) => void) {
	return (text: string): void => {
		const said = clipboard(text)
			? 'Copied through the terminal, which sends no receipt. If paste is empty, select:'
			: 'Not copied: it is longer than terminals take. Here is how it begins:';
		say({text: said, isError: false, below: printable(text)});
	};
}

export type ShownSecret = SecretText & {
	/** Proposed file name: "instance-812". */
	readonly fileName: string;
	/** The secret has reached the user already, so that leaving needs no warning. @default false */
	readonly isSafe?: boolean;
	/** Called once it, and all that waited behind it, was left. */
	readonly onLeft?: () => void;
};

/** A secret on the screen, with what was done about it. */
export type SecretOnScreen = SecretText & {
	readonly view: Store<SecretView>;
	readonly target: SecretTarget & SecretFileTarget;
	readonly more: number;
};

/** Each secret is shown until it is left, regardless of other events on the screen. */
export type ShownSecrets = {
	readonly shown: Readable<SecretOnScreen | undefined>;
	/** Shows a secret, behind those that are shown already. */
	readonly show: (secret: ShownSecret) => void;
};

type Options = {
	readonly clipboard: Clipboard;
	readonly home: string;
	/** Name of the service: ids of instances belong to one service. */
	readonly service: string;
	readonly moment: () => ConfirmationTiming;
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

type TargetOptions = Options & {readonly leave: () => void};

function targetOf(
	{secret, fileName}: ShownSecret,
	view: Store<SecretView>,
	{clipboard, home, service, moment, leave}: TargetOptions,
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
