/**
 * Access to an instance. Documents and requests use one word, such as `jupyter_direct`; records and
 * the official command line use tokens, such as `jupyter_direc ssh_direc ssh_proxy`.
 */
export type Launch = {
	/** `args` runs the image unchanged; the others start a server for access. */
	readonly mode: 'args' | 'ssh' | 'jupyter';
	/** True if SSH, or Jupyter, has ports of the machine and not only a proxy. */
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

/** Reads a word or tokens; undefined for an unknown one, and for `args` beside others. */
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
		// A single word also implies direct SSH; in a list, each token stands for itself.
		sshDirect: known.has('ssh_direct') || (jupyterDirect && known.size === 1),
		jupyterDirect,
	};
}

function isLaunchWord(word: string): word is LaunchWord {
	return launchWords.some(known => known === word);
}

/** The documented word that equals a text; undefined for tokens. */
export function canonicalRuntype(text: string): LaunchWord | undefined {
	const said = text.trim().toLowerCase();
	return launchWords.find(word => word === said);
}

export function printRuntype({mode, sshDirect, jupyterDirect}: Launch): string {
	if (mode === 'args') return 'args';
	const ssh = sshDirect ? ['ssh_direc', 'ssh_proxy'] : ['ssh_proxy'];
	if (mode === 'ssh') return ['ssh', ...ssh].join(' ');
	return [jupyterDirect ? 'jupyter_direc' : 'jupyter_proxy', ...ssh].join(' ');
}

/** The closest documented word. */
export function launchWord({mode, sshDirect, jupyterDirect}: Launch): LaunchWord {
	if (mode === 'args') return 'args';
	const isDirect = mode === 'ssh' ? sshDirect : jupyterDirect;
	return isDirect ? `${mode}_direct` : `${mode}_proxy`;
}

/**
 * The documented word that the form shows for a template, or for an order without any: `ssh`, not
 * `ssh_proxy`.
 */
export function usualWord(launch: Launch): LaunchWord {
	const word = launchWord(launch);
	return word.endsWith('_direct') ? word : launch.mode;
}
