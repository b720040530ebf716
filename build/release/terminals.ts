/** Terminals for whoever enters an instance, in the single executable. */
export {spawn} from '@lydell/node-pty';
