# fish completion for hcp; load it with: hcp completion fish | source
function __hcp_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    for line in (hcp __complete $words[2..-1] "$last" 2>/dev/null)
        string match -q ':*' -- $line; or echo $line
    end
end
complete -c hcp -f -a '(__hcp_complete)'
