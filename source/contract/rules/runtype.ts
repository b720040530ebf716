/**
 * The way into an instance. The documents have one word for each, `jupyter_direct`, which is what is
 * sent; the official command line sends tokens, `jupyter_direc ssh_direc ssh_proxy`, as records list them.
 */
export type Launch = {
	/** `args` runs the image as it is; the others start a server to enter by. */
	readonly mode: 'args' | 'ssh' | 'jupyter';
	/** SSH, and Jupyter, use ports of the machine and not only a proxy. */
	readonly sshDirect: boolean;
	readonly jupyterDirect: boolean;
};

export const launchWords = [
	'args',
	'ssh',
	'ssh_proxy',
	'ssh_direct',
	'jupyter',
	'jupyter_proxy',
	'jupyter_direct',
] as const;
export type LaunchWord = (typeof launchWords)[number];

/** Reads a word or tokens; undefined where one is unknown, or `args` stands beside others. */
export function parseRuntype(text: string): Launch | undefined {
	const words = text
		.toLowerCase()
		.split(/[\s,]+/)
		.filter(word => word !== '')
		.map(word => word.replace(/_direc$/, '_direct'));
	const known = new Set(launchWords.filter(word => words.includes(word)));
	if (words.length === 0 || !words.every(isLaunchWord)) return undefined;
	if (known.has('args') && known.size > 1) return undefined;
	if (known.has('args')) return {mode: 'args', sshDirect: false, jupyterDirect: false};
	const jupyterDirect = known.has('jupyter_direct');
	const isJupyter = jupyterDirect || known.has('jupyter') || known.has('jupyter_proxy');
	return {
		mode: isJupyter ? 'jupyter' : 'ssh',
		// Alone, the word means the whole way of entering; among tokens, each speaks for itself.
		sshDirect: known.has('ssh_direct') || (jupyterDirect && known.size === 1),
		jupyterDirect,
	};
}

function isLaunchWord(word: string): word is LaunchWord {
	return launchWords.some(known => known === word);
}

/** The documented word that a text is; undefined for tokens, however they are read. */
export function documentedWord(text: string): LaunchWord | undefined {
	const said = text.trim().toLowerCase();
	return launchWords.find(word => word === said);
}

/** The tokens as records list them. */
export function printRuntype({mode, sshDirect, jupyterDirect}: Launch): string {
	if (mode === 'args') return 'args';
	const ssh = sshDirect ? ['ssh_direc', 'ssh_proxy'] : ['ssh_proxy'];
	if (mode === 'ssh') return ['ssh', ...ssh].join(' ');
	return [jupyterDirect ? 'jupyter_direc' : 'jupyter_proxy', ...ssh].join(' ');
}

/** The documented word that comes nearest. */
export function launchWord({mode, sshDirect, jupyterDirect}: Launch): LaunchWord {
	if (mode === 'args') return 'args';
	const isDirect = mode === 'ssh' ? sshDirect : jupyterDirect;
	return isDirect ? `${mode}_direct` : `${mode}_proxy`;
}

/** The documented word that the form shows for a template, or for an order without any: `ssh`, not `ssh_proxy`. */
export function usualWord(launch: Launch): LaunchWord {
	const word = launchWord(launch);
	return word.endsWith('_direct') ? word : launch.mode;
}
