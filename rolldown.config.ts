import {join} from 'node:path';
import {defineConfig} from 'rolldown';
import {plainBuiltins} from './build/plain-builtins.ts';
import {programTexts} from './build/programs.ts';
import {quickStart} from './build/quick-start.ts';
import {chunkGroups} from './build/shared-chunk.ts';
import {releasedVersion} from './build/version.ts';

const root = import.meta.dirname;

export default defineConfig({
	// What runs in a thread or a process of its own is a file of its own.
	input: {
		cli: 'source/cli.ts',
		'network-relay': 'source/host/sandbox/network-relay.ts',
		'container-relay': 'source/host/engine/container-relay.ts',
	},
	platform: 'node',
	preserveEntrySignatures: false,
	// Addons cannot be bundled, and what is optional need not be there.
	external: [
		'react-devtools-core',
		'cpu-features',
		'@lydell/node-pty',
		'pg-native',
		'pg-cloudflare',
		/\.node$/,
	],
	plugins: [quickStart, plainBuiltins, programTexts],
	onwarn(warning, warn) {
		// "use client" means nothing here.
		if (warning.code === 'MODULE_LEVEL_DIRECTIVE') return;
		// What is to be loaded later would be loaded at once.
		if (warning.code === 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(warning.message);
		warn(warning);
	},
	resolve: {alias: {undici: join(root, 'build/undici.js')}},
	transform: {
		target: 'node26',
		define: {
			'process.env.NODE_ENV': '"production"',
			'process.env.DEV': '"false"',
			RENTTY_VERSION: JSON.stringify(releasedVersion()),
			// Leaves out undici's second parser, as Node's own copy of it does: 190 kB.
			esbuildDetection: 'true',
			// Packages that were written before modules look for it.
			__dirname: 'import.meta.dirname',
		},
		inject: {'Intl.Segmenter': [join(root, 'build/lazy-segmenter.ts'), 'LazySegmenter']},
	},
	output: {
		dir: 'dist',
		format: 'esm',
		minify: true,
		cleanDir: true,
		entryFileNames: '[name].js',
		chunkFileNames: '[name]-[hash].js',
		// Text that is ASCII takes one byte a character in memory, and is not decoded.
		charset: 'ascii',
		sourcemap: 'hidden',
		comments: {legal: true},
		codeSplitting: {groups: chunkGroups},
	},
});
