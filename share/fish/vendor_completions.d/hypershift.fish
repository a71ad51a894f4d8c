# fish completion for hypershift; load it with: hypershift completion fish | source
function __hypershift_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    for line in (hypershift __complete $words[2..-1] "$last" 2>/dev/null)
        string match -q ':*' -- $line; or echo $line
    end
end
complete -c hypershift -f -a '(__hypershift_complete)'
